/** Stock git as everybody has it, without the settings of whoever runs the benchmark. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@example.com',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@example.com',
}

/** Runs git and answers its output. @throws Error with what it said when it fails */
export function run(...args: string[]): string {
  const result = Bun.spawnSync(['git', ...args], { env: environment, stderr: 'pipe' })
  if (result.exitCode !== 0) throw new Error(`git ${args.join(' ')} failed: ${result.stderr}`)
  return result.stdout.toString().trim()
}

/** The same without blocking this process, which serves and samples meanwhile. */
export async function runAside(args: readonly string[]): Promise<string> {
  const child = Bun.spawn(['git', ...args], { env: environment, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, complaint, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`git ${args.join(' ')} failed: ${complaint}`)
  return output.trim()
}
