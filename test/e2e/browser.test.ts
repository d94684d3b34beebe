import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { forgeForStories, story } from './forge.ts'

/** Debian's chromium looks at the pages as people would: what its policy refuses, or what asks another host, shows in its log. */

const chromium = Bun.which('chromium')

describe.skipIf(chromium === null)('chromium', () => {
  story('pages in a browser', () => {
    const forge = forgeForStories()

    beforeAll(async () => {
      await forge.api('POST /user/repos', forge.ada, { name: 'engine', auto_init: true, readme: 'Default' })
    }, 60_000)

    /** The page as the browser has it once it is loaded, and what it had to say. */
    async function look(path: string): Promise<{ dom: string; log: string }> {
      const child = Bun.spawn(
        [
          chromium as string,
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--disable-background-networking',
          `--user-data-dir=${join(forge.directory, 'chromium')}`,
          '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
          '--enable-logging=stderr',
          '--dump-dom',
          `${forge.server.origin}${path}`,
        ],
        { stdout: 'pipe', stderr: 'pipe', env: { PATH: process.env.PATH, HOME: forge.directory } },
      )
      const [dom, log] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return { dom, log }
    }

    test('shows a repository, its file, its log and the sign-in form without a word of complaint', async () => {
      const pages = {
        '/ada/engine': 'engine',
        '/ada/engine/src/branch/main/README.md': 'id="L1"',
        '/ada/engine/commits/branch/main': '1 commit',
        '/user/login': 'Password',
      }
      for (const [path, part] of Object.entries(pages)) {
        const { dom, log } = await look(path)
        expect(dom).toContain(part)
        expect(dom).toContain('<main id="content">')
        expect(log.split('\n').filter((line) => /CONSOLE|Content Security Policy|ERR_/.test(line))).toEqual([])
      }
    }, 120_000)
  })
})
