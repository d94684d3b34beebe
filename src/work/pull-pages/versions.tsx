import { accessStore, type RepoAccess } from '#access/index.ts'
import { renderDiff } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { answerPage, countText, Time, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { compareVersions, listVersions, type PullVersion, type VersionComparison } from '#work/pulls/index.ts'
import { RangeDiffView } from './range-diff.tsx'
import { PullFrame } from './show-pull.tsx'
import { readTabs } from './tab-counts.ts'

/** Ids of two versions. */
export interface Compared {
  from: string
  to: string
}

/** All versions of a pull request, and what changed from one to another when two are named. */
export async function showVersions(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, asked: Partial<Compared>): Promise<Response> {
  const { pull, counts } = await readTabs(context, repo, issue)
  const versions = await listVersions(context, issue, pull)
  const { from, to } = asked
  const compared = from !== undefined && to !== undefined ? { from, to } : undefined
  const comparison = compared && (await compareVersions(context, pull, compared))
  const people = accessStore.listUsersById(context.db, [...new Set(versions.flatMap(({ personId }) => personId ?? []))])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}/versions`
  const list = <VersionList visit={visit} address={address} versions={versions} names={names} />
  return answerPage(
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="versions" counts={counts}>
      {versions.length > 1 && <Picker address={address} versions={versions} compared={compared ?? suggested(versions)} />}
      {comparison === undefined || compared === undefined ? list : <Comparison {...{ visit, repo, versions, compared, comparison }} />}
      {comparison && (
        <details>
          <summary>All versions</summary>
          {list}
        </details>
      )}
    </PullFrame>,
  )
}

/** The last one, and what it was before the last forced push, or push. */
function suggested(versions: readonly PullVersion[]): Compared {
  const at = versions.findIndex(({ how }) => how === 'forced')
  const before = versions[Math.max(0, at) + 1] ?? versions.at(-1)
  return { from: before?.oid ?? '', to: versions[0]?.oid ?? '' }
}

const how: Record<PullVersion['how'], string> = { opened: 'opened by', pushed: 'pushed by', forced: 'force-pushed by' }

interface ListProps {
  visit: Visit
  address: string
  versions: readonly PullVersion[]
  names: ReadonlyMap<number, string>
}

function VersionList({ visit, address, versions, names }: ListProps) {
  return (
    <ul class="list">
      {versions.map((version, i) => {
        const before = versions[i + 1]
        return (
          <li>
            <strong>{`Version ${version.number}`}</strong> {how[version.how]} <Person visit={visit} name={names.get(version.personId ?? 0)} />{' '}
            <Time at={version.at} />
            {version.how === 'forced' && <span class="mark">Force-pushed</span>}
            <p class="faint">
              <code>{version.oid.slice(0, 10)}</code> {countOf(version)}
              {before && version.oid !== before.oid && (
                <>
                  {' · '}
                  <a href={comparing(address, before.oid, version.oid)}>{`Changes since version ${before.number}`}</a>
                </>
              )}
            </p>
          </li>
        )
      })}
    </ul>
  )
}

function Person({ visit, name }: { visit: Visit; name: string | undefined }) {
  return name === undefined ? <>Ghost</> : <a href={visit.to`/${name}`}>{name}</a>
}

function countOf({ commits }: PullVersion): string {
  return commits === undefined ? 'commits not available' : countText(commits, 'commit')
}

/** The address of a comparison. @param address of all versions */
export function comparing(address: string, from: string, to: string): string {
  return `${address}?from=${from}&to=${to}`
}

function Picker({ address, versions, compared }: { address: string; versions: readonly PullVersion[]; compared: Compared }) {
  return (
    <form class="search" method="get" action={address}>
      <VersionSelect name="from" label="From" versions={versions} selected={compared.from} />
      <VersionSelect name="to" label="To" versions={versions} selected={compared.to} />
      <button type="submit">Compare</button>
    </form>
  )
}

function VersionSelect({ name, label, versions, selected }: { name: string; label: string; versions: readonly PullVersion[]; selected: string }) {
  const newest = versions.findIndex(({ oid }) => oid === selected)
  return (
    <label>
      {`${label} `}
      <select name={name}>
        {versions.map(({ number, oid }, i) => (
          <option value={oid} selected={i === newest}>{`Version ${number} (${oid.slice(0, 10)})`}</option>
        ))}
      </select>
    </label>
  )
}

interface ComparisonProps {
  visit: Visit
  repo: RepoAccess
  versions: readonly PullVersion[]
  compared: Compared
  comparison: VersionComparison
}

function Comparison({ visit, repo, versions, compared, comparison: { ranges, diff, isCut, isMoved, isContrary } }: ComparisonProps) {
  const nameOf = (oid: string) => {
    const version = versions.find((one) => one.oid === oid)
    return version ? `version ${version.number}` : oid.slice(0, 10)
  }
  return (
    <>
      <h3>{`Commits: ${nameOf(compared.from)} to ${nameOf(compared.to)}`}</h3>
      {ranges === undefined ? (
        <p class="error">There are too many commits or changes to compare the versions commit by commit.</p>
      ) : (
        <RangeDiffView visit={visit} repo={repo} pairs={ranges.pairs} />
      )}
      {ranges?.pairs.length === 0 && <p>Neither version has commits.</p>}
      {ranges?.isCut && <p class="error">Some commit diffs are too large to show.</p>}
      <h3>Files</h3>
      {isMoved && (
        <p class="faint">
          The two versions start from different commits of the base branch. Changes from the base branch are left out, so you see only the author's changes.
        </p>
      )}
      {isContrary && (
        <p class="faint">
          The earlier version conflicts with newer changes in the base branch. Conflicting lines are shown between conflict markers, as removed lines.
        </p>
      )}
      {diff === '' ? <p>No files changed.</p> : renderDiff(diff)}
      {isCut && <p class="error">This diff is too large to show in full.</p>}
    </>
  )
}
