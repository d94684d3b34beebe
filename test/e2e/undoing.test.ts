import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from './chromium.ts'
import { story } from './forge.ts'
import { steps } from './steps.ts'
import { forgeInBrowser, type Person, scriptModes } from './web-forge.ts'

/** What is deleted, closed or moved by mistake and taken back, and who is shown what: each by one person at a browser. */

interface Issue {
  number: number
  state: string
  labels: { name: string }[]
  milestone: { title: string } | null
}

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  const web = forgeInBrowser()
  afterAll(() => web.expectSilence(/status of 404.*\/-\/as\/visitor/))

  story.each(scriptModes('without scripts'))('what was done %s', (_, hasScripts) => {
    const owner = hasScripts ? 'grace' : 'hedy'
    const base = `/${owner}/engine`
    const api = `/repos${base}`
    let one: Person
    const open = (path: string) => one.page.open(web.at(base + path))
    const text = (selector?: string) => one.page.text(selector)
    const said = () => text('.told [role=status]')
    const issues = () => web.call<Issue[]>(`GET ${api}/issues?state=all&type=issues&sort=oldest`, one)
    const undo = async () => {
      await one.page.choose('Undo', {}, { of: '.told' })
      expect(await said()).not.toBe('')
    }

    beforeAll(async () => {
      one = await web.person(owner, { hasScripts })
      await web.call('POST /user/repos', one, { name: 'engine', auto_init: true, default_branch: 'main' })
      const { id: label } = await web.call<{ id: number }>(`POST ${api}/labels`, one, { name: 'bug', color: '#d73a4a' })
      const { id: milestone } = await web.call<{ id: number }>(`POST ${api}/milestones`, one, { title: '1.0' })
      for (const title of ['First', 'Second', 'Third']) await web.call(`POST ${api}/issues`, one, { title, labels: [label], milestone })
    }, 60_000)

    test('a comment comes back with its reactions, and only once', async () => {
      await open('/issues/1')
      await one.page.choose('Comment', { body: 'Worth **keeping**' }, { of: '#write' })
      await one.page.choose('heart', {}, { of: 'article[id^=issuecomment]' })
      await one.page.choose('Delete comment')
      expect([await said(), await text('article[id^=issuecomment]')]).toEqual(['Comment deleted', ''])
      await undo()
      expect([await text('article[id^=issuecomment] strong'), await text('article[id^=issuecomment] [aria-pressed=true]')]).toEqual(['keeping', '❤️ 1'])
      expect(await one.page.evaluate<number>("document.querySelectorAll('article[id^=issuecomment], [id^=deleted]').length")).toBe(1)
    })

    test('labels and milestones come back to all that had them', async () => {
      const marks = async () => (await issues()).map(({ labels, milestone }) => [labels[0]?.name, milestone?.title])
      for (const [page, button] of [
        ['/labels', 'Delete label: bug'],
        ['/milestones', 'Delete milestone'],
      ] as const) {
        const before = await marks()
        await open(page)
        await one.page.choose(button)
        expect(await marks()).not.toEqual(before)
        await undo()
        expect(await marks()).toEqual(before)
      }
    })

    test('several issues are closed at once and opened again, or changed together', async () => {
      const states = async () => (await issues()).map(({ state }) => state)
      await open('/issues')
      await one.page.choose('Close', { issues: ['1', '3'] })
      expect([await said(), await states()]).toEqual(['2 issues closed', ['closed', 'open', 'closed']])
      await undo()
      expect([await said(), await states()]).toEqual(['2 issues reopened', ['open', 'open', 'open']])
      await one.page.choose('Edit labels, milestone, assignees…', { issues: ['1', '2'] })
      await one.page.choose('Update issues', { milestone: '0', assignees: [owner], action: 'close' })
      const changed = (await issues()).map(({ state, milestone }) => [state, milestone?.title])
      expect([await said(), changed]).toEqual([
        '2 issues updated',
        [
          ['closed', undefined],
          ['closed', undefined],
          ['open', '1.0'],
        ],
      ])
    })

    test('who can see it is answered, and its pages are shown as others see them, where nothing can be done', async () => {
      await web.call(`PATCH ${api}`, one, { private: true })
      await open('/settings/access')
      await one.page.submit('main form:has([name=name])', { name: owner })
      expect(await text()).toContain('owner')
      await one.page.leave('document.querySelector(\'main a[href^="/-/as/visitor/"]\').click()')
      expect(await text('body')).toContain('This page does not exist')
      await one.page.open(web.at(`/-/as/write${base}/issues/1`))
      expect(await one.page.evaluate<number>("document.querySelectorAll('main form[method=post]').length")).toBe(0)
      await one.page.evaluate("for (const one of document.querySelectorAll('main button')) if (one.checkVisibility()) one.click()")
      await one.page.leave("[...document.querySelectorAll('a')].find((one) => one.textContent === 'Back to your own view').click()")
      expect(await one.page.evaluate<string>('location.pathname')).toBe(`${base}/issues/1`)
      expect(await text()).toContain('First')
    })
    test('a deleted branch comes back with its commit, and one that was moved by force from its moves', () =>
      steps({
        'a file comes back from where it was, and a deleted branch with its commit': async () => {
          await open('/_delete/main/README.md')
          await one.page.submit('main form.fields')
          expect((await web.forge.api(`GET ${api}/contents/README.md`, one)).status).toBe(404)
          await undo()
          expect((await web.forge.api(`GET ${api}/contents/README.md`, one)).status).toBe(200)
          await web.call(`POST ${api}/branches`, one, { new_branch_name: 'work/a', old_branch_name: 'main' })
          await open('/branches?view=all')
          await one.page.choose('Delete selected branches', { name: ['work/a'] })
          await one.page.choose('Restore work/a')
          expect([await said(), await text()]).toEqual(['Branch restored', expect.stringContaining('work/a')])
        },
        'a branch that was moved by force is put back from its moves': async () => {
          const tip = async () => (await web.call<{ commit: { id: string } }>(`GET ${api}/branches/work%2Fa`, one)).commit.id
          const before = await tip()
          const made = { content: btoa('x'), message: 'Go on', branch: 'work/a' }
          await web.call(`POST ${api}/contents/x.txt`, one, made)
          const after = await tip()
          await web.call(`PUT ${api}/branches/work%2Fa`, one, { new_commit_id: before, old_commit_id: after, force: true })
          await open('/branches?view=all')
          await one.page.leave(
            "[...document.querySelectorAll('li.entry')].find((one) => one.innerText.includes('work/a')).querySelector('a[href*=reflog]').click()",
          )
          expect(await text()).toContain('Forced')
          await one.page.choose(`Reset branch to this commit: ${after.slice(0, 10)}`)
          expect([await said(), await tip()]).toEqual(['Branch “work/a” reset', after])
        },
      }))
  })
})
