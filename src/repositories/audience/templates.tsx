import { type Level, type Reason, type RepoAccess, usedUnits } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { countText, Empty, Icon, LevelMark, levelWords, NextPages, RepoSettingsFrame, unitNames, type Visit } from '#web/index.ts'
import type { Explanation } from './explain.ts'
import { roleNames, roles } from './made-up.ts'
import type { Credential, TeamAccess } from './store.ts'

/** What was asked about somebody; without an explanation there is nobody of the name. */
export interface Answer {
  /** Empty: somebody who has not signed in. */
  name: string
  explanation?: Explanation
}

/** A page of a list. */
export interface Listed<T> {
  rows: readonly T[]
  page: Page
  hasMore: boolean
}

interface Props {
  visit: Visit
  repo: RepoAccess
  /** What those may do who have no part in it. */
  others: readonly { who: string; level: Level }[]
  people: Listed<{ name: string; level: Level }>
  teams: Listed<TeamAccess>
  credentials: Listed<Credential>
  siteAdmins: number
  answer: Answer | undefined
}

export function AudiencePage({ visit, repo, others, people, teams, credentials, siteAdmins, answer }: Props) {
  const { owner } = repo
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="access">
      <AskForm answer={answer} />
      {answer && <Answered answer={answer} repo={repo} />}
      <p>
        {'View as '}
        {roleNames.map((role, i) => [i > 0 && ' · ', <a href={visit.to`/-/as/${role}/${owner.name}/${repo.row.name}`}>{roles[role]}</a>])}
      </p>
      <h3>General access</h3>
      <Rows rows={others.map(({ who, level }) => [who, levelWords[level]])} />
      <h3>People and teams with access</h3>
      <ul class="list">
        <li class="bar">
          <span class="faint">
            <a href={visit.to`/${owner.name}`}>{owner.name}</a>
            {owner.kind === 'person' ? ', owner' : ', owning organization (its owners)'}
          </span>
          <LevelMark level="owner" />
        </li>
        {teams.rows.map(({ name, permission, units, members }) => (
          <li class="bar">
            <span class="faint">
              {'Team '}
              <a href={visit.to`/org/${owner.name}/teams/${name}`}>{name}</a>
              {` · ${countText(members, 'member')}${textOf(units)}`}
            </span>
            <LevelMark level={permission} />
          </li>
        ))}
        {people.rows.map(({ name, level }) => (
          <li class="bar">
            <span class="faint">
              <a href={visit.to`/${name}`}>{name}</a>, collaborator
            </span>
            <LevelMark level={level} />
          </li>
        ))}
        <li class="bar">
          <span>{`Site administrators (${siteAdmins})`}</span>
          <LevelMark level="owner" />
        </li>
      </ul>
      <NextPages visit={visit} {...teams} name="teams" words={['Previous teams', 'More teams']} />
      <NextPages visit={visit} {...people} name="people" words={['Previous collaborators', 'More collaborators']} />
      <h3>Deploy keys and tokens limited to this repository</h3>
      {credentials.rows.length === 0 ? (
        <Empty visit={visit} icon="key" title="No deploy keys or limited tokens">
          Tokens without a repository limit have the access of their owners.
        </Empty>
      ) : (
        <ul class="list">
          {credentials.rows.map(({ kind, name, scopes }) => (
            <li class="bar">
              <span>
                <Icon visit={visit} name="key" /> {kind === 'key' ? `Deploy key ${name}` : `Access token of ${name}`}
              </span>
              <span class="mark">{kind === 'key' ? levelWords[scopes as Level] : scopes.replaceAll(',', ', ')}</span>
            </li>
          ))}
        </ul>
      )}
      <NextPages visit={visit} {...credentials} name="keys" words={['Previous keys and tokens', 'More keys and tokens']} />
    </RepoSettingsFrame>
  )
}

function textOf(units: TeamAccess['units']): string {
  const told = usedUnits.flatMap((unit) => (units[unit] ? `${unitNames[unit]}: ${units[unit]}` : []))
  return told.length === 0 ? '' : ` · ${told.join(', ')}`
}

function AskForm({ answer }: { answer: Answer | undefined }) {
  return (
    <form class="search">
      <input name="name" value={answer?.name} aria-label="Username" placeholder="Username" autocapitalize="none" spellcheck="false" />
      <button type="submit">Check access</button>
      <button type="submit" name="who" value="visitor">
        Check anonymous access
      </button>
    </form>
  )
}

function Answered({ answer: { name, explanation }, repo }: { answer: Answer; repo: RepoAccess }) {
  if (!explanation) return <p class="notice">{`User “${name}” not found. The user may not exist, or you may not have permission to see the account.`}</p>
  const { level, units, reasons, teams, limits } = explanation
  const who = name === '' ? 'Anonymous visitors' : name
  return (
    <section class="notice" aria-label={`Access of ${who}`}>
      <p>
        <strong>{who}</strong>
        {level === 'none' ? ': no access to this repository' : `: ${level} access to this repository`}
      </p>
      <ul>
        {reasons.map((reason) => (
          <li>{sentences[reason](repo)}</li>
        ))}
        {teams.length > 0 && <li>{`Additional permissions come from the ${repo.owner.name} ${teams.length === 1 ? 'team' : 'teams'} ${teams.join(', ')}.`}</li>}
        {limits.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
      <Rows
        rows={units
          .filter(([unit]) => usedUnits.some((one) => one === unit))
          .map(([unit, have]) => [unitNames[unit], have === 'off' ? 'Disabled' : levelWords[have]])}
      />
    </section>
  )
}

function Rows({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <table class="facts">
      <tbody>
        {rows.map(([term, text]) => (
          <tr>
            <th scope="row">{term}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const sentences: Record<Reason, (repo: RepoAccess) => string> = {
  siteAdmin: () => 'Site administrators have owner access to every repository.',
  isOwner: () => 'The user owns the repository.',
  collaborator: () => 'The user is a collaborator.',
  open: () => 'The repository is public: everyone who can see its owner can read it.',
  private: () => 'The repository is private: only collaborators and teams with access can see it.',
  ownerHidden: ({ owner }) =>
    `The owner ${owner.name} has ${owner.visibility} visibility: accounts that cannot see ${owner.name} cannot see its public repositories either.`,
  restricted: () => 'The account is restricted: it can see public repositories only as a collaborator or team member.',
  offered: () => 'A transfer to the user, or to one of their organizations, is pending: they can read the repository until they accept or reject it.',
}
