import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dir, '..')

/** Files that every test depends on. */
const FOR_ALL = /^(package\.json|bun\.lock|bunfig\.toml|tsconfig\.json)$/

/** The compiler imports it into every .tsx file, which does not name it. */
const JSX_RUNTIME = 'src/web/jsx-runtime.ts'

/**
 * Lists the test files that a change can affect: those that reach a changed file over any number of references.
 * A reference is any quoted text that names a file of the project, so that imports, embedded files, worker addresses and programs that a test starts all count.
 * @param changed paths below the root, with slashes, of changed, added and deleted files
 */
export function affectedTests(changed: readonly string[], directory = root): string[] {
  const files = ['src', 'test', 'build'].flatMap((folder) => listFiles(directory, folder))
  const tests = files.filter((path) => /\.test\.tsx?$/.test(path))
  if (changed.some((path) => FOR_ALL.test(path))) return tests
  const users = usersOf(directory, files)
  const affected = new Set(changed)
  // A set that grows while it is walked: each file is visited once.
  for (const path of affected) for (const user of users.get(path) ?? []) affected.add(user)
  return tests.filter((path) => affected.has(path))
}

/** Lists files that differ from a commit, in the work tree or the index, and untracked files. */
export function changedFiles(since: string): string[] {
  return [...gitLines('diff', '--name-only', '--no-renames', since, '--'), ...gitLines('ls-files', '--others', '--exclude-standard')]
}

function gitLines(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot tell what has changed: git ${args[0]} failed: ${stderr.trim()}`)
  return stdout.split('\n').filter((line) => line !== '')
}

/** Returns, for each file, the files that refer to it. */
function usersOf(directory: string, files: readonly string[]): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const path of files.filter((file) => /\.[cm]?[jt]sx?$/.test(file))) {
    const quoted = readFileSync(join(directory, path), 'utf8').matchAll(/(['"`])([#./\w-]*[/.][\w./-]*\w)\1/g)
    const targets = [...quoted].flatMap(([, , text = '']) => targetsOf(path, text))
    for (const target of path.endsWith('.tsx') ? [JSX_RUNTIME, ...targets] : targets) users.set(target, [...(users.get(target) ?? []), path])
  }
  return users
}

/** Returns the paths that a quoted text can name. Paths that do not exist stay, so that users of a deleted file are found. */
function targetsOf(path: string, text: string): string[] {
  if (text.startsWith('#')) return [`src/${text.slice(1)}`]
  const beside = join(dirname(path), text).replaceAll('\\', '/')
  return text.startsWith('.') ? [beside] : [text, beside]
}

function listFiles(directory: string, folder: string): string[] {
  const top = join(directory, folder)
  if (!existsSync(top)) return []
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((path) => relative(directory, join(top, path)).replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules') && !path.startsWith('build/out/') && statSync(join(directory, path)).isFile())
}
