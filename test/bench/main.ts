// Our executable against stock git's `git http-backend`, on this machine, in this run:
//   npm run bench                          a generated repository of 120,000 objects
//   npm run bench -- --repo PATH           a bare repository of yours
//   npm run bench -- --only "full clone"   one case; --runs N, --json
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generateHistory } from '../generate-history.ts'
import { git } from '../git.ts'
import { codeCaseNames, measureCode } from './code-cases.ts'
import { compare, gitCases, Workshop } from './git-cases.ts'
import { compareIndexPack } from './index-pack.ts'
import { measureIssues } from './issue-cases.ts'
import { measureLists } from './list-cases.ts'
import { measureMerges } from './merge-cases.ts'
import { measurePageBudgets } from './page-cases.ts'
import { measureRefs } from './ref-cases.ts'
import { type Findings, formatFindings } from './report.ts'
import { measureReads, measureReadsDuringPush, type ServerFindings } from './server-cases.ts'
import { startGit, startOurs } from './sides.ts'
import { measureStart } from './start-cases.ts'
import { judgeComparisons } from './verdicts.ts'

interface Wishes {
  repo: string | undefined
  only: string | undefined
  runs: number
  isJson: boolean
}

const serverCases = ['index-pack', 'API reads', 'API during a large push', 'start', 'lists', 'issues', 'refs', 'merges', 'pages'] as const

async function main(): Promise<void> {
  const wishes = readWishes()
  const directory = mkdtempSync(join(tmpdir(), 'pf-bench-'))
  try {
    const findings = await measure(wishes, directory)
    tell('')
    console.log(wishes.isJson ? JSON.stringify(findings, null, 2) : `${await describeMachine()}\n${formatFindings(findings)}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function readWishes(): Wishes {
  const { values } = parseArgs({ options: { repo: { type: 'string' }, only: { type: 'string' }, runs: { type: 'string' }, json: { type: 'boolean' } } })
  const runs = Number(values.runs ?? 3)
  if (!Number.isSafeInteger(runs) || runs < 1) throw new Error(`Cannot measure ${values.runs} runs: a whole number from 1 is expected`)
  return { repo: values.repo, only: values.only, runs, isJson: values.json === true }
}

async function measure({ repo, only, runs }: Wishes, directory: string): Promise<Findings> {
  const source = repo === undefined ? await generated(directory) : resolve(repo)
  const shop = new Workshop(directory, source, await git(['symbolic-ref', '--short', 'HEAD'], { cwd: source }))
  const findings: Findings = { input: await describeInput(source), comparisons: [], verdicts: [], notes: [] }
  const isWanted = (name: string) => only === undefined || name.includes(only)
  await using theirs = await startGit(directory, shop.branch)
  const ours = await startOurs(directory)
  try {
    const cases = gitCases(shop).filter(({ name }) => isWanted(name))
    if (cases.length === 0 && ![...serverCases, ...codeCaseNames].some(isWanted)) throw new Error(`Cannot measure "${only}": no case has that in its name`)
    for (const one of cases) findings.comparisons.push(await compare(one, ours, theirs, runs, tell))
    if (isWanted('index-pack')) findings.comparisons.push(await compareIndexPack(directory, source, runs, tell))
    findings.comparisons.push(...(await measureCode(shop, ours, theirs, { runs, isWanted, tell })))
    findings.verdicts.push(...judgeComparisons(findings.comparisons))
    if (isWanted('API reads')) add(findings, 'API reads', await measureReads(ours, await shop.repositoryOn(ours), directory))
    if (isWanted('API during a large push')) add(findings, 'API during a large push', await measureReadsDuringPush(ours, () => shop.pushAll(ours, 'during')))
  } finally {
    await ours.running.stop()
  }
  if (isWanted('start')) add(findings, 'start', await measureStart(ours.running.data, directory))
  if (isWanted('issues')) add(findings, 'issues', await measureIssues(directory))
  if (isWanted('refs')) add(findings, 'refs', await measureRefs(directory))
  if (isWanted('merges')) add(findings, 'merges', await measureMerges(directory, repo === undefined ? undefined : source))
  if (isWanted('pages')) add(findings, 'pages', await measurePageBudgets())
  if (isWanted('lists')) add(findings, 'lists', await measureLists())
  return findings
}

function add(findings: Findings, name: string, { verdicts, notes }: ServerFindings): void {
  tell(name)
  findings.verdicts.push(...verdicts)
  findings.notes.push(...notes)
}

async function generated(directory: string): Promise<string> {
  tell('generating a repository')
  const path = join(directory, 'generated.git')
  await generateHistory(path, { repack: true })
  return path
}

async function describeInput(path: string): Promise<Findings['input']> {
  const counts = await git(['count-objects', '-v'], { cwd: path })
  const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counts)?.[1])
  return { path, objects: count('in-pack') + count('count'), packBytes: count('size-pack') * 1024 }
}

async function describeMachine(): Promise<string> {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${await git(['--version'])}, Bun ${Bun.version}`
}

/** One line that the next one replaces; nothing when nobody watches. */
function tell(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

await main()
