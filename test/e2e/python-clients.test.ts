import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { generateHistory } from '../generate-history.ts'
import { git } from '../git.ts'
import { contentOf, forgeForStories, fsck, story } from './forge.ts'

/** pygit2 is libgit2, which many programs have inside; dulwich is a client of its own, in Python. */

const script = join(import.meta.dir, 'python-clients.py')

function runPython(python: string, ...args: string[]): { exitCode: number | null; output: string; errors: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([python, script, ...args], { stdout: 'pipe', stderr: 'pipe' })
  return { exitCode, output: stdout.toString(), errors: stderr.toString() }
}

/** The Python that has a library, be it of PyPI or of the distribution, whose packages only its own Python finds; and what the library can do. */
function findPython(library: string): { python: string; can: string[] } {
  for (const name of ['python3', '/usr/bin/python3']) {
    const python = Bun.which(name)
    const found = python === null ? undefined : runPython(python, library)
    if (python !== null && found?.exitCode === 0) return { python, can: found.output.trim().split(' ') }
  }
  return { python: '', can: [] }
}

story('clients that are not git', () => {
  const forge = forgeForStories()
  const source = () => join(forge.directory, 'source.git')
  const url = () => forge.url('ada/engine', forge.ada)

  beforeAll(async () => {
    await generateHistory(source(), { commits: 60, files: 40, bigFileBytes: 0 })
    await git(['push', '--quiet', '--mirror', url()], { cwd: source() })
  }, 120_000)

  for (const library of ['pygit2', 'dulwich']) {
    const { python, can } = findPython(library)
    describe.skipIf(can.length === 0)(library, () => {
      const directoryOf = (verb: string) => join(forge.directory, `${library}-${verb}`)
      const pushed = () => forge.url(`ada/from-${library}`, forge.ada)
      /** What went wrong with each verb. In one process: Python takes longer to load a library than that does to clone. */
      let failures: Record<string, string> = {}
      beforeAll(() => {
        const verbs = ['clone', ...(can.includes('shallow') ? ['shallow', 'deepen'] : []), 'push']
        const asked = verbs.flatMap((verb) => [verb, verb === 'push' ? pushed() : url(), directoryOf(verb)])
        const { exitCode, output, errors } = runPython(python, library, ...asked)
        if (exitCode !== 0) throw new Error(`${library} did not run: ${errors}`)
        failures = JSON.parse(output) as Record<string, string>
      }, 120_000)

      /** The directory in which a verb was done. @throws Error when it was not */
      const done = (verb: string) => {
        if (failures[verb] !== '') throw new Error(`${library} cannot ${verb}: ${failures[verb]}`)
        return directoryOf(verb)
      }

      test('clones everything', async () => {
        const clone = done('clone')
        expect(await git(['rev-list', '--objects', '--no-object-names', '--all', '--count'], { cwd: clone })).toBe(
          await git(['rev-list', '--objects', '--no-object-names', '--all', '--count'], { cwd: source() }),
        )
        expect(await fsck(clone)).toBe('')
      })

      test.skipIf(!can.includes('shallow'))('clones one commit deep', async () => {
        const clone = done('shallow')
        expect((await Bun.file(join(clone, 'shallow')).text()).trim()).not.toBe('')
        expect(await git(['rev-list', '--count', 'HEAD'], { cwd: clone })).toBe('1')
        expect(await fsck(clone)).toBe('')
      })

      test.skipIf(!can.includes('shallow'))('deepens a shallow clone', async () => {
        const deepened = done('deepen')
        const stock = join(forge.directory, `${library}-stock.git`)
        await git(['clone', '--quiet', '--bare', '--depth=3', url(), stock])
        expect(await git(['rev-list', 'HEAD'], { cwd: deepened })).toBe(await git(['rev-list', 'HEAD'], { cwd: stock }))
        expect(await fsck(deepened)).toBe('')
      })

      test('pushes to a repository that the push creates', async () => {
        const copy = done('push')
        const back = join(forge.directory, `${library}-back.git`)
        await git(['clone', '--quiet', '--bare', pushed(), back])
        expect((await contentOf(back)).objects).toEqual((await git(['rev-list', '--objects', '--no-object-names', 'HEAD'], { cwd: copy })).split('\n').sort())
      })
    })
  }
})
