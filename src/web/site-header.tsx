import { mayCreateOrgs, type UserRow } from '#access/index.ts'
import { Avatar } from './avatar.tsx'
import { Icon } from './icons.ts'
import { Popup, Way } from './popup.tsx'
import type { Visit } from './visit.ts'

/** More is told as `99+`. */
const MOST_TOLD = 99

/** What stands at the top of every page: the ways to all others, and whom the server takes the viewer for. */
export function SiteHeader({ visit }: { visit: Visit }) {
  const { user } = visit.viewer
  return (
    <header class="top">
      <nav aria-label="Site">
        <a class="brand" href={visit.to`/`}>
          <Icon visit={visit} name="pocketforge" size={24} label="Pocketforge" />
          <span class="wide" aria-hidden="true">
            Pocketforge
          </span>
        </a>
        <a class="wide" href={visit.to`/explore/repos`}>
          Explore
        </a>
      </nav>
      <search class="jump">
        <form action={visit.to`/-/jump`} data-jump>
          <Icon visit={visit} name="search" />
          <input type="search" name="q" aria-label="Go to" placeholder="Go to a repository, user or page" autocomplete="off" maxlength="200" />
        </form>
      </search>
      <nav aria-label="Account">{user ? <Ways visit={visit} user={user} /> : <Entrance visit={visit} />}</nav>
    </header>
  )
}

function Entrance({ visit }: { visit: Visit }) {
  return (
    <a class="button" href={`${visit.to`/user/login`}?redirect_to=${encodeURIComponent(visit.path)}`}>
      Sign in
    </a>
  )
}

function Ways({ visit, user }: { visit: Visit; user: UserRow }) {
  const news = visit.countNews()
  return (
    <>
      <a
        href={visit.to`/notifications`}
        aria-label={news === 0 ? 'Notifications' : `Notifications: ${news > MOST_TOLD ? `more than ${MOST_TOLD}` : news} unread`}
      >
        <Icon visit={visit} name="bell" />
        {news > 0 && <span class="news">{news > MOST_TOLD ? `${MOST_TOLD}+` : news}</span>}
      </a>
      <Popup id="menu-new" label="New" face={<Icon visit={visit} name="plus" />}>
        <Way visit={visit} icon="repo" to={visit.to`/repo/create`}>
          New repository
        </Way>
        {mayCreateOrgs(user) && (
          <Way visit={visit} icon="organization" to={visit.to`/org/create`}>
            New organization
          </Way>
        )}
      </Popup>
      <Popup id="menu-account" label="Account" face={<Avatar visit={visit} of={user} size={24} />}>
        <p>
          Signed in as <strong>{user.name}</strong>
        </p>
        <hr />
        <Way visit={visit} icon="person" to={visit.to`/${user.name}`}>
          Your profile
        </Way>
        <Way visit={visit} icon="issue-opened" to={visit.to`/issues`}>
          Your issues
        </Way>
        <Way visit={visit} icon="git-pull-request" to={visit.to`/pulls`}>
          Your pull requests
        </Way>
        <Way visit={visit} icon="star" to={`${visit.to`/${user.name}`}?tab=stars`}>
          Your stars
        </Way>
        <Way visit={visit} icon="organization" to={visit.to`/user/settings/organization`}>
          Your organizations
        </Way>
        <Way visit={visit} icon="globe" to={visit.to`/explore/repos`}>
          Explore
        </Way>
        <hr />
        <Way visit={visit} icon="sliders" to={visit.to`/user/settings`}>
          Settings
        </Way>
        {user.is_admin === 1 && (
          <Way visit={visit} icon="key" to={visit.to`/-/admin`}>
            Administration
          </Way>
        )}
        <hr />
        <form method="post" action={visit.to`/user/logout`}>
          <button type="submit">
            <Icon visit={visit} name="sign-out" />
            Sign out
          </button>
        </form>
      </Popup>
    </>
  )
}
