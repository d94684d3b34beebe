import { expect, test } from 'bun:test'
import { join } from 'node:path'

const asked = `
  const { requireDescriptors, findFewDescriptors } = await import(${JSON.stringify(join(import.meta.dir, 'descriptors.ts'))})
  let code = 'enough'
  try { requireDescriptors() } catch (error) { code = error.code }
  console.log(code, findFewDescriptors())
`

/** Asks in a process that may open so many files. */
async function askWithin(limit: number): Promise<string> {
  const child = Bun.spawn(['bash', '-c', `ulimit -n ${limit}; exec "$0" -e "$1"`, process.execPath, asked], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return (await child.stdout.text()).trim()
}

test.skipIf(Bun.which('bash') === null || process.platform !== 'linux')('who may open few files more is told, and the process goes on', async () => {
  expect(await Promise.all([askWithin(36), askWithin(200), askWithin(4096)])).toEqual(['EMFILE 36', 'enough 200', 'enough undefined'])
})
