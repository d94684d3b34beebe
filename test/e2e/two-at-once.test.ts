import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Chromium, chromiumPath } from './chromium.ts'
import { story } from './forge.ts'
import { forgeInBrowser, type Person, scriptModes } from './web-forge.ts'

/** Two people at the same things, each at a page that was loaded before the other did something; and one person who is too quick, or comes back. */

interface Issue {
  number: number
  state: string
}

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  const web = forgeInBrowser({}, { hasBackForwardCache: true })
  afterAll(() => web.expectSilence(/status of (?:404|409|422)/))

  story.each(scriptModes('with scripts'))('two at once %s', (_, hasScripts) => {
    const owner = hasScripts ? 'grace' : 'hedy'
    const base = `/${owner}/engine`
    const api = `/repos${base}`
    let one: Person
    let other: Person
    const open = (who: Person, path: string) => who.page.open(web.at(base + path))
    const both = (path: string) => Promise.all([open(one, path), open(other, path)])
    const said = ({ page }: Person) => page.text('.told [role=status]')
    const states = async () => (await web.call<Issue[]>(`GET ${api}/issues?state=all&type=issues&sort=oldest`, one)).map(({ state }) => state)
    const comments = async (issue: number) =>
      (await web.call<{ id: number; body: string }[]>(`GET ${api}/issues/${issue}/comments`, one)).map(({ body }) => body)
    const comment = async (issue: number, body: string) => (await web.call<{ id: number }>(`POST ${api}/issues/${issue}/comments`, one, { body })).id
    async function pull(branch: string): Promise<number> {
      const made = { content: btoa(branch), message: `Add ${branch}`, branch: 'main', new_branch: branch }
      await web.call(`POST ${api}/contents/${branch}.txt`, one, made)
      return (await web.call<Issue>(`POST ${api}/pulls`, one, { title: `Take ${branch}`, head: branch, base: 'main' })).number
    }

    beforeAll(async () => {
      one = await web.person(owner, { hasScripts })
      other = await web.person(`${owner}-too`, { hasScripts })
      await web.call('POST /user/repos', one, { name: 'engine', auto_init: true, default_branch: 'main' })
      await web.call(`PUT ${api}/collaborators/${other.name}`, one, { permission: 'write' })
      for (const title of ['First', 'Second', 'Third', 'Fourth']) await web.call(`POST ${api}/issues`, one, { title })
    }, 60_000)

    test('issues that both close are closed once, and each takes back what they did themselves', async () => {
      await both('/issues')
      await one.page.choose('Close', { issues: ['1', '2', '3'] })
      await other.page.choose('Close', { issues: ['2', '3', '4'] })
      expect([await said(one), await said(other)]).toEqual(['3 issues closed', '1 issue closed'])
      await Promise.all([one, other].map(({ page }) => page.choose('Undo', {}, { of: '.told' })))
      expect([await said(one), await said(other), await states()]).toEqual(['3 issues reopened', '1 issue reopened', ['open', 'open', 'open', 'open']])
    })

    test('a comment that both bring back is there once, and who came second is shown it', async () => {
      await comment(1, 'Rotten')
      await open(one, '/issues/1')
      await one.page.choose('Delete comment')
      await open(other, '/issues/1')
      await other.page.choose('Restore')
      expect(await said(other)).toBe('Comment restored')
      await one.page.choose('Undo', {}, { of: '.told' })
      expect([await said(one), await comments(1)]).toEqual(['Comment restored', ['Rotten']])
    })

    test('what one writes over a comment that the other deletes is kept, and posted as a new one', async () => {
      const id = await comment(2, 'Before')
      await both('/issues/2')
      await one.page.choose('Delete comment')
      await other.page.choose('Save', { body: 'A long thought' }, { of: `#issuecomment-${id}` })
      expect(await other.page.text('h2')).toBe('This comment was deleted')
      await other.page.choose('Post as new comment')
      expect(await comments(2)).toEqual(['A long thought'])
    })

    test('who merges what the other pushes to meanwhile is told, and merges what they have seen then', async () => {
      const number = await pull('pushed')
      await open(one, `/pulls/${number}`)
      await web.call(`POST ${api}/contents/unseen.txt`, other, { content: btoa('unseen'), message: 'Add unseen', branch: 'pushed' })
      await one.page.submit(`form[action$="/${number}/merge"]`)
      expect([await one.page.text('.state'), await one.page.text('.merge [role=alert]')]).toEqual([
        'Open',
        expect.stringContaining('Someone pushed to the branch'),
      ])
      expect(await one.page.text()).toContain(`${other.name} pushed commits`)
      await one.page.submit(`form[action$="/${number}/merge"]`)
      expect(await one.page.text('.state')).toBe('Merged')
    })

    test('a branch that is deleted while its pull request is open leaves pages that say so', async () => {
      const number = await pull('fleeting')
      await both(`/pulls/${number}`)
      await web.call(`DELETE ${api}/branches/fleeting`, other)
      await one.page.submit(`form[action$="/${number}/merge"]`)
      expect([await one.page.text('[role=alert]'), await one.page.text('.state')]).toEqual([expect.stringContaining('was closed or changed'), 'Closed'])
      await other.page.choose('Comment', { body: 'Where is it?' }, { of: '#write' })
      expect(await other.page.text()).toContain('Where is it?')
    })

    test('what two clicks send is there once, and Back leads to the page before it', async () => {
      const { page } = one
      await open(one, '/issues/3')
      const { x, y } = await placeOf(page, '#write button[value=comment]', { body: 'Once' })
      await page.evaluate('globalThis.isLeft = false')
      for (const clickCount of [1, 2]) {
        for (const type of ['mousePressed', 'mouseReleased']) await page.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount })
      }
      await page.until("globalThis.isLeft === undefined && document.readyState === 'complete'")
      expect(await comments(3)).toEqual(['Once'])
      await page.evaluate('history.back()')
      await page.until(`document.querySelector('#write') && document.readyState === 'complete'`)
      await page.choose('Comment', { body: 'Twice' }, { of: '#write' })
      expect(await comments(3)).toEqual(['Once', 'Twice'])
    })

    test('a tab that was left open is as good after the server was started again, and what was sent meanwhile is not lost', async () => {
      const { page } = one
      await open(one, '/issues/4')
      await web.forge.restartInPlace(async () => {
        if (!hasScripts) return
        await page.type('#write textarea', 'Into the void')
        await page.evaluate("document.querySelector('#write button[value=comment]').click()")
        await page.until("location.protocol === 'chrome-error:'")
      })
      if (hasScripts) {
        await open(one, '/issues/4')
        expect(await page.evaluate<string>("document.querySelector('#write textarea').value")).toBe('Into the void')
        await page.choose('Comment', {}, { of: '#write' })
      } else await page.choose('Comment', { body: 'Into the void' }, { of: '#write' })
      expect(await comments(4)).toEqual(['Into the void'])
    })
  })
})

/** Where the middle of a button is, once its form is filled in. */
async function placeOf(page: Chromium, button: string, fields: Record<string, string>): Promise<{ x: number; y: number }> {
  return page.evaluate(`(() => {
    const button = document.querySelector(${JSON.stringify(button)})
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) button.form.elements[name].value = value
    button.scrollIntoView({ block: 'center' })
    const { x, y, width, height } = button.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  })()`)
}
