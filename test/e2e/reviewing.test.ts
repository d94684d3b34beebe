import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { git } from '../git.ts'
import { chromiumPath } from './chromium.ts'
import { commitFiles, newWorkingCopy, story } from './forge.ts'
import { steps } from './steps.ts'
import { forgeInBrowser, type Person, scriptModes } from './web-forge.ts'

/** A pull request between its author and who reviews it, each at a browser: suggestions, versions, marks, conflicts, merges that wait, and the way back. */

const lines = (changes: Record<number, string> = {}) => Array.from({ length: 30 }, (_, i) => `${changes[i + 1] ?? `line ${i + 1}`}\n`).join('')
const suggestion = (text: string) => `Better:\n\n\`\`\`suggestion\n${text}\n\`\`\`\n`

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  const web = forgeInBrowser()
  afterAll(() => web.expectSilence(/status of (?:409|422)/))

  story.each(scriptModes('with scripts'))('a pull request %s', (_, hasScripts) => {
    const owner = hasScripts ? 'grace' : 'hedy'
    const base = `/${owner}/engine`
    const api = `/repos${base}`
    let author: Person
    let reviewer: Person
    let copy: string
    const here = (...args: string[]) => git(args, { cwd: copy })
    const remote = () => web.forge.url(`${owner}/engine`, author)
    const textOf = async (branch: string, path: string) => (await fetch(`${web.forge.server.origin}${base}/raw/branch/${branch}/${path}`)).text()
    const open = ({ page }: Person, path: string) => page.open(web.at(base + path))
    const pathname = ({ page }: Person) => page.evaluate<string>('location.pathname')
    const pull = (number: number) => web.call<{ merged: boolean; base: { ref: string } }>(`GET ${api}/pulls/${number}`, author)
    /** A branch with a commit of its own. */
    async function branch(name: string, from: string, files: Record<string, string>): Promise<string> {
      await here('checkout', '--quiet', '-B', name, from)
      const oid = await commitFiles(copy, `Go on with ${name}`, files)
      await here('push', '--quiet', '--force', remote(), name)
      return oid
    }

    beforeAll(async () => {
      author = await web.person(owner, { hasScripts })
      reviewer = await web.person(`${owner}-too`, { hasScripts })
      copy = await newWorkingCopy(join(web.forge.directory, owner))
      await commitFiles(copy, 'Begin', { 'a.txt': lines(), 'b.txt': 'b\n', 'c.txt': lines() })
      await here('push', '--quiet', '-o', 'repo.private=false', remote(), 'main')
      await web.call(`PUT ${api}/collaborators/${reviewer.name}`, author, { permission: 'write' })
      await here('checkout', '--quiet', '-b', 'topic')
      await commitFiles(copy, 'Change a', { 'a.txt': lines({ 3: 'three', 9: 'nine', 20: 'twenty' }) })
      await commitFiles(copy, 'Change b', { 'b.txt': 'B\n' })
      await here('push', '--quiet', remote(), 'topic')
      await web.call(`POST ${api}/pulls`, author, { title: 'Take it', head: 'topic', base: 'main' })
    }, 60_000)

    test('from suggestions to a merge and back', () =>
      steps({
        'suggestions are written on the lines, committed one by one and together, and not over what was changed since': async () => {
          for (const [line, text] of [
            [3, 'THREE'],
            [9, 'NINE'],
            [20, 'TWENTY'],
            [20, 'Twenty!'],
          ] as const) {
            await open(reviewer, `/pulls/1/files?path=a.txt&line=${line}${hasScripts ? '' : '&suggest=1'}`)
            if (hasScripts) {
              await reviewer.page.evaluate("document.querySelector('#write').form.querySelector('[data-insert]').click()")
              const begun = await reviewer.page.evaluate<string>("document.querySelector('#write').value")
              expect(begun).toContain(`\`\`\`suggestion\n${text.replace('!', '').toLowerCase()}\n\`\`\``)
            }
            await reviewer.page.chooseInPlace(line === 3 ? 'Start a review' : 'Add review comment', { body: suggestion(text) }, { of: '.note' })
          }
          await reviewer.page.submit('form[action$="/reviews"]', { body: 'Four words' })

          const { page } = author
          const suggested = (text: string) => ({ of: '.suggestion', saying: `+${text}` })
          await open(author, '/pulls/1')
          await page.choose('Commit changes', { title: 'Louder' }, suggested('THREE'))
          const picks = await page.evaluate<string[]>("[...document.querySelectorAll('.suggestion [name=pick][type=checkbox]')].map(({ value }) => value)")
          expect([await textOf('topic', 'a.txt'), picks.length]).toEqual([lines({ 3: 'THREE', 9: 'nine', 20: 'twenty' }), 3])
          await page.choose('Commit changes', { pick: picks, title: 'My title' }, { of: '#suggestions' })
          expect(await page.text('#suggestions [role=alert]')).toContain('Two changes affect line 20')
          expect(await page.evaluate<string>("document.querySelector('#suggestions [name=title]').value")).toBe('My title')
          await page.choose('Commit changes', { pick: picks.slice(0, 2) }, { of: '#suggestions' })
          expect(await textOf('topic', 'a.txt')).toBe(lines({ 3: 'THREE', 9: 'NINE', 20: 'TWENTY' }))
          // Another page of it, which was there before.
          await open(author, '/pulls/1')
          expect(await page.evaluate<number>("document.querySelectorAll('.suggestion [name=pick]').length")).toBe(0)
        },
        'a suggestion is not committed over what was pushed while its page was open': async () => {
          await open(reviewer, '/pulls/1/files?path=b.txt&line=1')
          await reviewer.page.chooseInPlace('Add single comment', { body: suggestion('Bee') }, { of: '.note' })
          await open(author, '/pulls/1')
          await here('pull', '--quiet', remote(), 'topic')
          await commitFiles(copy, 'Change b again', { 'b.txt': 'Beta\n' })
          await here('push', '--quiet', remote(), 'topic')
          await author.page.choose('Commit changes', { title: 'Bee it is' }, { of: '.suggestion', saying: '+Bee' })
          expect(await author.page.text('[role=alert]')).toContain('lines have changed since')
          expect(await textOf('topic', 'b.txt')).toBe('Beta\n')
        },
        'marks of what was viewed outlast a rebase, and versions are compared': async () => {
          const { page } = reviewer
          await open(reviewer, '/pulls/1/files')
          await page.choose('Mark as viewed: a.txt')
          await page.choose('Mark as viewed: b.txt')
          expect(await page.text()).toContain('2 of 2 viewed')
          await here('checkout', '--quiet', 'main')
          await commitFiles(copy, 'Move on', { 'd.txt': 'd\n' })
          await here('push', '--quiet', remote(), 'main')
          await here('checkout', '--quiet', 'topic')
          await here('rebase', '--quiet', 'main')
          await commitFiles(copy, 'Change b once more', { 'b.txt': 'Gamma\n' })
          await here('push', '--quiet', '--force', remote(), 'topic')
          await open(reviewer, '/pulls/1/files')
          expect(await page.text()).toContain('1 of 2 viewed')
          expect(await page.text()).toContain('Changed since you viewed it')
          await page.follow('Versions')
          await page.choose('Compare')
          expect(await pathname(reviewer)).toBe(`${base}/pulls/1/versions`)
          expect(await page.text()).toContain('Change b once more')
          const files = (await page.text()).split('The two versions start from different commits of the base branch.')[1]
          expect(['-Beta', '+Gamma', 'd.txt', 'a.txt'].map((part) => files?.includes(part))).toEqual([true, true, false, false])
        },
        'of a stack the next one says what it waits for, and goes where that went': async () => {
          await branch('upper', 'topic', { 'upper.txt': 'upper\n' })
          await open(author, '/compare/topic...upper')
          await author.page.choose('Create pull request', { title: 'Build on it' })
          expect(await author.page.text('.stack')).toContain('Take it')
          expect(await author.page.text()).toContain('must be merged first')
          await author.page.follow('#1 Take it')
          await author.page.submit('form[action$="/merge"]', {})
          expect(await author.page.text('.state')).toBe('Merged')
          await author.page.choose('Delete branch')
          expect((await pull(2)).base.ref).toBe('main')
          await open(author, '/pulls/2')
          expect(await author.page.text()).toContain('changed the base branch from topic to main')
        },
        'a merge that waits for a check comes with it': async () => {
          await web.call(`POST ${api}/branch_protections`, author, {
            rule_name: 'main',
            enable_status_check: true,
            status_check_contexts: ['build'],
            enable_push: true,
            block_admin_merge_override: true,
          })
          await open(author, '/pulls/2')
          await author.page.choose('Enable auto-merge', { do: 'squash' })
          expect(await author.page.text()).toContain('enabled auto-merge')
          await author.page.choose('Disable auto-merge')
          await author.page.choose('Enable auto-merge', { do: 'squash' })
          const { sha } = (await web.call<{ head: { sha: string } }>(`GET ${api}/pulls/2`, author)).head
          await web.call(`POST ${api}/statuses/${sha}`, author, { context: 'build', state: 'success' })
          await eventually(async () => (await pull(2)).merged, 'the merge')
          await open(reviewer, '/pulls/2')
          expect(await reviewer.page.text('.state')).toBe('Merged')
          await web.call(`DELETE ${api}/branch_protections/main`, author)
        },
        'a conflict is solved on its page': async () => {
          await here('fetch', '--quiet', remote(), 'main')
          await branch('contrary', 'FETCH_HEAD~1', { 'c.txt': lines({ 5: 'five of contrary', 25: 'twenty-five of contrary' }) })
          await branch('main', 'FETCH_HEAD', { 'c.txt': lines({ 5: 'five of main', 25: 'twenty-five of main' }) })
          await open(author, '/compare/main...contrary')
          await author.page.choose('Create pull request', { title: 'Contrary' })
          await author.page.follow('Resolve conflicts')
          const parts = await author.page.evaluate<string[]>("[...document.querySelectorAll('.conflict legend')].map((one) => one.innerText)")
          expect(parts).toEqual(['Conflict 1 in c.txt', 'Conflict 2 in c.txt'])
          await author.page.choose('Commit merge', { 'choice-0-0': 'theirs', 'choice-0-1': 'edit', 'text-0-1': 'twenty-five of both' })
          expect(await pathname(author)).toBe(`${base}/pulls/3`)
          expect(await textOf('contrary', 'c.txt')).toBe(lines({ 5: 'five of main', 25: 'twenty-five of both' }))
          await author.page.submit('form[action$="/merge"]', {})
          expect(await author.page.text('.state')).toBe('Merged')
        },
        'what was merged is taken back, and a commit taken back and over, by pull requests of their own': async () => {
          const { page } = author
          await open(author, '/pulls/2')
          await page.choose('Revert')
          expect(await pathname(author)).toBe(`${base}/compare/main...revert-2-upper`)
          await page.choose('Create pull request')
          expect(await page.text('h2')).toContain('Revert "Build on it"')
          await page.submit('form[action$="/merge"]', {})
          expect([await page.text('.state'), await textOf('main', 'upper.txt')]).toEqual(['Merged', expect.not.stringContaining('upper\n')])
          const oid = await branch('aside', 'main', { 'aside.txt': 'aside\n' })
          await open(author, `/commit/${oid}`)
          await page.follow('Cherry-pick')
          await page.choose('Cherry-pick commit', { branch: 'main', new_branch: '' })
          expect(await textOf('main', 'aside.txt')).toBe('aside\n')
          await page.follow('Revert')
          await page.choose('Revert commit', { branch: 'main', new_branch: 'not-aside' })
          expect(await pathname(author)).toBe(`${base}/compare/main...not-aside`)
          expect(await textOf('main', 'aside.txt')).toBe('aside\n')
        },
        'the list of changed files is a narrow column beside the diff, also in a window of 1100 pixels': async () => {
          const { page } = reviewer
          await page.send('Emulation.setDeviceMetricsOverride', { width: 1100, height: 800, deviceScaleFactor: 1, mobile: false })
          await open(reviewer, '/pulls/1/files')
          const widths = "['.changed-files', '.diff-file'].map((part) => document.querySelector(part).getBoundingClientRect().width)"
          const [list = 0, diff = 0] = await page.evaluate<number[]>(widths)
          expect([list > 150, list < 300, diff > 600]).toEqual([true, true, true])
          await page.send('Emulation.clearDeviceMetricsOverride')
        },
        'a comment on a line is written below the line, and leaves the reader there, with the list of files in view': async () => {
          const { page } = reviewer
          await branch('long', 'main', { 'long.txt': Array.from({ length: 300 }, (_, i) => `line ${i + 1}\n`).join('') })
          const { number } = await web.call<{ number: number }>(`POST ${api}/pulls`, author, { title: 'Long', head: 'long', base: 'main' })
          await page.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false })
          await open(reviewer, `/pulls/${number}/files?whitespace=ignore-all`)
          const line = "[...document.querySelectorAll('tr.add td.n > a')].find(({ textContent }) => textContent === '200')"
          const top = (element: string) => page.evaluate<number>(`Math.round(${element}.getBoundingClientRect().top)`)
          await page.evaluate(`${line}.scrollIntoView({ block: 'center' })`)
          const before = await top(line)
          if (hasScripts) await page.evaluate(`${line}.click()`)
          else await page.leave(`${line}.click()`)
          await page.until("document.activeElement.closest('.note')?.dataset.line === '200'")
          const [atLine, atList] = [await top(line), await top("document.querySelector('.changed-files')")]
          expect([hasScripts ? atLine : atLine > 0, atList > 0 && atList < 100]).toEqual([hasScripts ? before : true, true])
          await page.chooseInPlace('Add single comment', { body: 'Is it here?' }, { of: '.note' })
          const after = await top(line)
          expect([hasScripts ? after : after >= 0 && after < 100, await page.text('.note article .text')]).toEqual([hasScripts ? before : true, 'Is it here?'])
          expect(await page.evaluate<string>('location.search')).toBe('?whitespace=ignore-all')
          await page.chooseInPlace('Reply', { body: 'It is.' }, { of: '.note' })
          expect([await page.text('.note'), await page.evaluate<string>('location.search')]).toEqual([
            expect.stringContaining('It is.'),
            '?whitespace=ignore-all',
          ])
          await page.send('Emulation.clearDeviceMetricsOverride')
        },
        'a comment on a line is as wide as its window, also where the lines are longer': async () => {
          const { page } = reviewer
          await branch('wide', 'main', { 'wide.txt': `${'a long line '.repeat(60)}\n` })
          const { number } = await web.call<{ number: number }>(`POST ${api}/pulls`, author, { title: 'Wide', head: 'wide', base: 'main' })
          await web.call(`POST ${api}/pulls/${number}/reviews`, author, {
            event: 'COMMENT',
            comments: [{ path: 'wide.txt', new_position: 1, body: 'many words '.repeat(60) }],
          })
          await page.send('Emulation.setDeviceMetricsOverride', { width: 360, height: 800, deviceScaleFactor: 1, mobile: true })
          await open(reviewer, `/pulls/${number}/files`)
          const right = "Math.round(document.querySelector('.note article').getBoundingClientRect().right)"
          expect(await page.evaluate<number>(right)).toBeLessThan(360)
          expect(await page.evaluate<number>(`document.querySelector('.note').closest('.blob').scrollLeft = 900, ${right}`)).toBeLessThan(360)
          await page.send('Emulation.clearDeviceMetricsOverride')
        },
        'the Tab key stops at one line number of each file, and letters lead from file to file and comment': async () => {
          const { page } = reviewer
          await open(reviewer, '/pulls/1/files')
          const stops = "[...document.querySelectorAll('.diff-file')].map((file) => file.querySelectorAll('td.n > a:not([tabindex], [data-part])').length)"
          expect(new Set(await page.evaluate<number[]>(stops))).toEqual(new Set([1]))
          if (!hasScripts) return
          await page.send('Emulation.setFocusEmulationEnabled', { enabled: true })
          const place = `(() => {
        const at = document.activeElement
        return at.tagName === 'SUMMARY' ? at.querySelector('h3').innerText : at.closest('article') ? 'comment' : at.innerText
      })()`
          const places: string[] = []
          for (const key of ['j', 'j', 'k']) {
            await page.press(key)
            places.push(await page.evaluate<string>(place))
          }
          expect([places[0], places[1] !== places[0], places[2]]).toEqual(['a.txt', true, 'a.txt'])
          await page.evaluate("document.querySelector('.diff-file').open = true; document.querySelector('.diff-file td.n > a').focus()")
          await page.press('ArrowDown')
          await page.press('ArrowDown')
          expect(await page.evaluate<string>(place)).toBe('3')
        },
      }))
  })
})
