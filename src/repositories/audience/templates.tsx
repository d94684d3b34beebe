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
        {'See it as '}
        {roleNames.map((role, i) => [i > 0 && ' · ', <a href={visit.to`/-/as/${role}/${owner.name}/${repo.row.name}`}>{roles[role]}</a>])}
      </p>
      <h3>Who has no part in it</h3>
      <Rows rows={others.map(({ who, level }) => [who, levelWords[level]])} />
      <h3>Who has</h3>
      <ul class="list">
        <li class="bar">
          <span class="faint">
            <a href={visit.to`/${owner.name}`}>{owner.name}</a>
            {owner.kind === 'person' ? ', the owner' : ', the organization that owns it: its owners'}
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
          <span>{`Administrators of the site, ${siteAdmins === 1 ? 'of whom there is one' : `${siteAdmins} of them`}`}</span>
          <LevelMark level="owner" />
        </li>
      </ul>
      <NextPages visit={visit} {...teams} name="teams" words={['Previous teams', 'More teams']} />
      <NextPages visit={visit} {...people} name="people" words={['Previous collaborators', 'More collaborators']} />
      <h3>Keys, and tokens that are limited to it</h3>
      {credentials.rows.length === 0 ? (
        <Empty visit={visit} icon="key" title="There are none.">
          Tokens that are not limited do what their holders may do.
        </Empty>
      ) : (
        <ul class="list">
          {credentials.rows.map(({ kind, name, scopes }) => (
            <li class="bar">
              <span>
                <Icon visit={visit} name="key" /> {kind === 'key' ? `Deploy key ${name}` : `A token of ${name}`}
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
  const told = usedUnits.flatMap((unit) => (units[unit] ? `${unitNames[unit]}: ${levelWords[units[unit]].toLowerCase()}` : []))
  return told.length === 0 ? '' : ` · ${told.join(', ')}`
}

function AskForm({ answer }: { answer: Answer | undefined }) {
  return (
    <form class="search">
      <input
        name="name"
        value={answer?.name}
        aria-label="What can this user do here, and why?"
        placeholder="User name"
        autocapitalize="none"
        spellcheck="false"
      />
      <button type="submit">What can they do here?</button>
      <button type="submit" name="who" value="visitor">
        And who has not signed in?
      </button>
    </form>
  )
}

function Answered({ answer: { name, explanation }, repo }: { answer: Answer; repo: RepoAccess }) {
  if (!explanation) return <p class="notice">{`There is nobody called ${name}, or you may not see them.`}</p>
  const { level, units, reasons, teams, limits } = explanation
  const who = name === '' ? 'Who has not signed in' : name
  return (
    <section class="notice" aria-label={`What ${who} can do here`}>
      <p>
        <strong>{who}</strong>
        {level === 'none' ? ' sees nothing of this repository:' : ` ${levelWords[level].toLowerCase()}:`}
      </p>
      <ul>
        {reasons.map((reason) => (
          <li>{sentences[reason](repo)}</li>
        ))}
        {teams.length > 0 && (
          <li>{`${teams.length === 1 ? 'The team' : 'The teams'} ${teams.join(', ')} of ${repo.owner.name} ${teams.length === 1 ? 'adds' : 'add'} to that.`}</li>
        )}
        {limits.map((text) => (
          <li>{text}</li>
        ))}
      </ul>
      <Rows
        rows={units
          .filter(([unit]) => usedUnits.some((one) => one === unit))
          .map(([unit, have]) => [unitNames[unit], have === 'off' ? 'Switched off' : levelWords[have]])}
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
  siteAdmin: () => 'They administer the site, and so do everything in every repository.',
  isOwner: () => 'They own it.',
  collaborator: () => 'They are a collaborator.',
  open: () => 'It is public: whoever sees its owner reads it.',
  private: () => 'It is private: being public gives nobody anything.',
  ownerHidden: ({ owner }) =>
    `${owner.name}, who owns it, is ${owner.visibility}: they do not see that account, and by that nothing of its public repositories.`,
  restricted: () => 'Their account is restricted: what is public gives them nothing.',
  offered: () => 'It is offered to them, or to an organization of theirs: until they answer they may look at it.',
}
