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
      await forge.api('POST /repos/ada/engine/issues', forge.ada, { title: 'It breaks', body: '**here**' })
      await forge.api('POST /repos/ada/engine/contents/a.txt', forge.ada, { content: btoa('a'), new_branch: 'topic', message: 'Add a' })
      await forge.api('POST /repos/ada/engine/pulls', forge.ada, { title: 'Take it', head: 'topic', base: 'main' })
      await forge.api('POST /repos/ada/engine/releases', forge.ada, { tag_name: 'v1', body: '**First**' })
      await forge.api('POST /repos/ada/engine/wiki/new', forge.ada, { title: 'Home', content_base64: btoa('# Welcome') })
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

    test('shows what there is of a repository, and the sign-in form, without a word of complaint', async () => {
      const pages = {
        '/ada/engine': 'engine',
        '/ada/engine/src/branch/main/README.md': 'id="L1"',
        '/ada/engine/commits/branch/main': '1 commit',
        '/ada/engine/blame/branch/main/README.md': 'class="who"',
        '/ada/engine/issues': 'It breaks',
        '/ada/engine/issues/1': '<strong>here</strong>',
        '/ada/engine/pulls/2': 'This cannot be merged now',
        '/ada/engine/pulls/2/files': '+a',
        '/ada/engine/compare/main...topic': '1 commit',
        '/ada/engine/releases/tag/v1': '<strong>First</strong>',
        '/ada/engine/wiki': 'Welcome',
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
