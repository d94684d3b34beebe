import type { GitServer } from './git-server.fixture.ts'
import { git } from './git-server.fixture.ts'

const DAY = 24 * 60 * 60
/** 1 January 2024. */
const START = 1704067200

/** `git fast-import` input: 40 commits on `main`, one a day, a side branch merged at the end, and tags of every kind. */
function history(): string {
  const lines: string[] = []
  for (let i = 1; i <= 40; i++) lines.push(...commit('refs/heads/main', i), ...filesOf(i), ...(i % 10 === 0 ? tag(i) : []))
  lines.push(...commit('refs/heads/side', 41), 'from :15', 'M 100644 inline side', ...data('side\n'))
  lines.push(...commit('refs/heads/main', 42), 'merge :41')
  return `${lines.join('\n')}\n`
}

function commit(ref: string, mark: number): string[] {
  return [`commit ${ref}`, `mark :${mark}`, `committer Ada <ada@example.org> ${START + mark * DAY} +0000`, ...data(`Commit ${mark}\n`)]
}

/** Files that change again and again, so that packs have chains of deltas. */
function filesOf(i: number): string[] {
  const directory = `d${i % 5}/e`
  return [
    `M 100644 inline ${directory}/f${i % 7}`,
    ...data(numbers(1, i * 20)),
    `M 100755 inline g${i % 3}`,
    ...data(numbers(i, 300)),
    'M 120000 inline link',
    ...data(`g${i % 3}`),
  ]
}

function tag(i: number): string[] {
  return [
    `tag v${i}`,
    `from :${i}`,
    `tagger Ada <ada@example.org> ${START + i * DAY} +0000`,
    ...data(`Version ${i}\n`),
    `reset refs/tags/light-${i}`,
    `from :${i}`,
    '',
  ]
}

function numbers(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `${from + i}\n`).join('')
}

function data(text: string): string[] {
  return [`data ${text.length}`, text]
}

/** Makes `<name>.git` on the server: one pack, with a nested tag, a tag of a blob and a branch that is not an ancestor of `main`. */
export async function makeSample(server: GitServer, name: string): Promise<string> {
  const dir = server.path(`${name}.git`)
  await git(server.root, 'init', '-q', '--bare', dir)
  const child = Bun.spawn(['git', 'fast-import', '--quiet'], { cwd: dir, stdin: Buffer.from(history()) })
  if ((await child.exited) !== 0) throw new Error('Cannot make the sample repository')
  await git(dir, 'tag', '-a', '-m', 'nested', 'nested', 'v20')
  await git(dir, 'tag', 'blob', 'main:g1')
  const apart = await git(dir, 'commit-tree', '-m', 'apart', '-p', 'main~3', 'main~4^{tree}')
  await git(dir, 'update-ref', 'refs/heads/apart', apart)
  await git(dir, 'repack', '-q', '-a', '-d', '-f', '--depth=20')
  await git(dir, 'config', 'uploadpack.allowFilter', 'true')
  await git(dir, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  return dir
}
