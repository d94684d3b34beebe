/** Stock git as a new account on a new machine would have it: no settings, no helpers, no prompts. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

export interface GitOptions {
  cwd?: string
  env?: Record<string, string>
  /** Sent to its standard input. */
  input?: string | Uint8Array
}

export interface GitResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs git; tells how it ended. In process servers need this one: it does not block the event loop. */
export async function tryGit(args: readonly string[], { cwd, env = {}, input }: GitOptions = {}): Promise<GitResult> {
  const child = Bun.spawn(['git', ...args], {
    cwd,
    env: { ...gitEnvironment, ...env },
    stdin: input === undefined ? 'ignore' : new Blob([input as string | Uint8Array<ArrayBuffer>]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { exitCode, stdout, stderr }
}

/** Runs git and returns its output without the last line break. @throws Error with its standard error when it fails */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await tryGit(args, options)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
  return stdout.trimEnd()
}

/**
 * Runs git in a directory, waiting for it, and returns all its output. Dates of commits are those that the environment names.
 * @throws Error with its standard error when it fails
 */
export function gitIn(directory: string, ...args: string[]): string {
  const dates = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^GIT_\w+_DATE$/.test(name)))
  const run = Bun.spawnSync(['git', '-C', directory, '-c', 'init.defaultBranch=main', ...args], { env: { ...gitEnvironment, ...dates } })
  if (run.exitCode !== 0) throw new Error(`git ${args.join(' ')} ended with ${run.exitCode}: ${run.stderr}`)
  return run.stdout.toString()
}
