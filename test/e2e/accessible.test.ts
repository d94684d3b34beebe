import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runBinary } from '../binary.ts'
import { soak } from '../soak.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { Examiner, loadAxe } from './examine-page.ts'
import { fillSite } from './fill-site.ts'
import { forgeForStories, type Member, story } from './forge.ts'

/** Every kind of page in a real browser: whether people who see, point or print otherwise can use it, and whether it keeps to itself. */

const PASSWORD = 'correct horse battery'

interface Pages {
  /** One address for each template. */
  templates: string[]
  /** The same templates in another state or for another role, and forms of the same fields: only `npm run soak` examines them. */
  repeated: string[]
}

const repositoryPages: Pages = {
  templates: [
    '/grace/engine',
    '/grace/empty',
    '/grace/engine/src/branch/main/doc/a.ts',
    '/grace/engine/_edit/main/README.md',
    '/grace/engine/blame/branch/main/README.md',
    '/grace/engine/commits/branch/main',
    '/grace/engine/graph',
    '/grace/engine/commit/main',
    '/grace/engine/compare/main...topic',
    '/grace/engine/branches',
    '/grace/engine/releases',
    '/grace/engine/stars',
    '/grace/engine/issues',
    '/grace/engine/issues/new',
    '/grace/engine/issues/by/label',
    '/grace/engine/issues/bulk?issues=1',
    '/grace/engine/issues/1',
    '/grace/engine/labels',
    '/grace/engine/milestones',
    '/grace/engine/pulls/2',
    '/grace/engine/pulls/2/files?path=doc%2Fc.ts&line=1',
    '/grace/engine/pulls/2/versions',
    '/grace/engine/pulls/3/conflicts',
    '/grace/engine/_upload/main/',
    '/grace/engine/activity',
    '/grace/engine/activity/contributors',
    '/grace/engine/find/branch/main',
    '/grace/engine/wiki/Home',
    '/grace/nothing',
  ],
  repeated: [
    '/grace/engine/fork',
    '/grace/engine/releases/new',
    '/grace/engine/commit/main/cherry-pick',
    '/grace/engine/tags',
    '/grace/engine/src/branch/main/doc',
    '/grace/engine/src/branch/main/README.md',
    '/grace/engine/forks',
    '/grace/engine/wiki',
    '/grace/engine/pulls',
    '/grace/engine/pulls/2/commits',
    '/grace/engine/pulls/4',
    '/-/as/visitor/grace/engine',
    '/-/as/write/grace/engine/issues/1',
    '/grace/engine/_new/main/',
    '/grace/engine/wiki/_new',
    '/grace/engine/wiki/_pages',
    '/grace/engine/activity/monthly',
    '/grace/engine/activity/code-frequency',
    '/grace/engine/activity/recent-commits',
    '/grace/engine/_delete/main/README.md',
    '/grace/engine/commit/main/revert',
    '/grace/engine/compare',
    '/grace/engine/milestone/1',
    '/grace/engine/pulls/bulk?issues=2',
    '/grace/engine/pulls/by/reviewer',
    '/grace/engine/pulls/3',
    '/grace/engine/reflog/main',
    '/grace/engine/refs',
    '/grace/engine/releases/tag/v1',
    '/grace/engine/releases/edit/1',
    '/grace/engine/watchers',
    '/grace/engine/wiki/_edit/Home',
  ],
}
const settingsPages: Pages = {
  templates: [
    '/grace/engine/settings',
    '/grace/engine/settings/collaboration',
    '/grace/engine/settings/access?name=grace',
    '/grace/engine/settings/branches/edit?rule_name=main',
    '/grace/engine/settings/hooks/1',
  ],
  repeated: [
    '/grace/engine/settings/keys',
    '/grace/engine/settings/transfer',
    '/grace/engine/settings/topics',
    '/grace/engine/settings/branches/new',
    '/grace/engine/settings/tags',
    '/grace/engine/settings/hooks/new',
    '/grace/engine/settings/avatar',
    '/grace/engine/settings/branches',
    '/grace/engine/settings/hooks',
    '/acme/works/settings/teams',
  ],
}
const accountPages: Pages = {
  templates: [
    '/',
    '/grace',
    '/grace?tab=activity',
    '/acme',
    '/notifications',
    '/user/settings',
    '/user/settings/applications',
    '/user/settings/applications/oauth2/1',
    '/user/settings/security',
    '/user/settings/security/two_factor/enroll',
    '/org/acme/teams/crew/edit',
  ],
  repeated: [
    '/explore/repos',
    '/org/acme/teams',
    '/repo/create',
    '/issues',
    '/explore/users',
    '/explore/organizations',
    '/grace?tab=followers',
    '/pulls?type=assigned',
    '/notifications/watching',
    '/notifications/subscriptions',
    '/user/settings/notifications',
    '/user/settings/emails',
    '/user/settings/keys',
    '/user/settings/sessions',
    '/user/settings/organization',
    '/user/settings/hooks/new',
    '/user/settings/applications/oauth2',
    '/org/create',
    '/org/acme/members',
    '/org/acme/teams/new',
    '/org/acme/settings',
    '/org/acme/settings/labels',
    '/org/acme/settings/hooks',
    '/user/settings/account_links',
    '/user/settings/avatar',
    '/user/settings/blocked_users',
    '/user/settings/change_password',
    '/user/settings/gpg',
    '/user/settings/hooks',
    '/user/settings/hooks/2',
    '/org/acme/settings/applications',
    '/org/acme/settings/avatar',
    '/org/acme/settings/blocked_users',
    '/org/acme/settings/hooks/new',
    '/org/acme/settings/hooks/3',
    '/org/acme/teams/crew',
    '/org/acme/teams/crew/repositories',
  ],
}
const sitePages: Pages = {
  templates: ['/-/admin', '/-/admin/auths/1', '/-/admin/config', '/-/admin/doctor', '/-/admin/users', '/-/admin/users/1/edit'],
  repeated: [
    '/-/admin/badges',
    '/-/admin/monitor/cron',
    '/-/admin/monitor/jobs',
    '/-/admin/applications',
    '/-/admin/auths',
    '/-/admin/auths/new',
    '/-/admin/badges/early',
    '/-/admin/emails',
    '/-/admin/hooks',
    '/-/admin/hooks/4',
    '/-/admin/hooks/new',
    '/-/admin/mail',
    '/-/admin/names',
    '/-/admin/orgs',
    '/-/admin/repos',
    '/-/admin/repos/unadopted',
    '/-/admin/users/new',
  ],
}
const visitorPages: Pages = {
  templates: ['/', '/user/login', '/user/sign_up', '/user/activate'],
  repeated: ['/user/forgot_password', '/explore/repos', '/grace', '/acme', '/grace/engine'],
}

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  story('every page', () => {
    const forge = forgeForStories()
    let browser: Chromium
    let grace: Member
    const examiner = new Examiner()
    /** A tab of somebody who is not signed in, and two of the administrator: as many as a small machine has cores. */
    let visitors: Chromium[] = []
    let members: Chromium[] = []
    const paths = new Map<string, string>()

    beforeAll(async () => {
      const person = ['--username', 'grace', '--email', 'grace@example.org', '--password', PASSWORD, '--admin', '--access-token', '--quiet']
      const made = await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...person])
      await runBinary(['admin', 'badge', 'add', '--data', forge.server.data, '--slug', 'early', '--description', 'Was here early'])
      grace = { name: 'grace', token: made.stdout.trim(), authorization: '' }
      const tip = await fillSite((line, body) => forge.api(line, grace, body))
      const all = [repositoryPages, settingsPages, accountPages, sitePages, visitorPages]
      for (const path of all.flatMap(({ templates, repeated }) => [...templates, ...repeated])) paths.set(path, path.replace('/commit/main', `/commit/${tip}`))
      browser = await Chromium.start(forge.directory)
      members = [browser, await browser.anotherTab()]
      const visitor = await browser.somebodyElse()
      visitors = [visitor]
      for (const tab of [...members, ...visitors]) await loadAxe(tab)
      await browser.open(at('/user/login'))
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    const at = (path: string) => `http://localhost:${new URL(forge.server.origin).port}${paths.get(path) ?? path}`

    async function look({ templates, repeated }: Pages, tabs: Chromium[]): Promise<Record<string, string[]>> {
      const faults: Record<string, string[]> = {}
      const left = soak([...templates], [...templates, ...repeated])
      const examine = async (tab: Chromium) => {
        for (let path = left.shift(); path !== undefined; path = left.shift()) {
          await tab.open(at(path))
          const found = await examiner.faultsOf(tab)
          if (found.length > 0) faults[path] = found
        }
      }
      await Promise.all(tabs.map(examine))
      return faults
    }

    test('can be read and used by everybody: as a visitor', async () => {
      expect(await look(visitorPages, visitors)).toEqual({})
    })

    test('as a member: repositories', async () => {
      expect(await look(repositoryPages, members)).toEqual({})
    }, 240_000)
    test('their settings', async () => expect(await look(settingsPages, members)).toEqual({}), 240_000)
    test('accounts and organizations', async () => expect(await look(accountPages, members)).toEqual({}), 240_000)
    test('and the administration of the site', async () => expect(await look(sitePages, members)).toEqual({}), 240_000)

    test('is walked with the keyboard, and shows where one is', async () => {
      await browser.media({ 'prefers-color-scheme': 'light' })
      for (const path of ['/grace/engine', '/grace/engine/issues/1', '/grace/engine/pulls/2']) {
        await browser.open(at(path))
        await browser.press('Tab')
        expect(await focused()).toMatchObject({ text: 'Skip to content', isSeen: true })
        for (let i = 0; i < 25; i++) {
          await browser.press('Tab')
          const one = await focused()
          if (one.tag === 'BODY') break
          expect(one).toMatchObject({ isSeen: true })
        }
        await browser.open(at(path))
        await browser.press('Tab')
        await browser.press('Enter')
        await browser.press('Tab')
        expect(await browser.evaluate<boolean>("document.querySelector('main').contains(document.activeElement)")).toBe(true)
      }
    })

    /** What the keyboard is at, and whether one sees that. */
    function focused(): Promise<{ tag: string; text: string; isSeen: boolean }> {
      return browser.evaluate(`(() => {
        const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect()
        const isSeen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 && box.width > 0 && box.bottom > 0 && box.top < innerHeight
        return { tag: one.tagName, text: one.textContent.trim().slice(0, 60), isSeen }
      })()`)
    }

    test('is printed without what only leads elsewhere', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await browser.media({}, 'print')
      const shown = (selector: string) => browser.evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)}).checkVisibility()`)
      expect([await shown('.top'), await shown('.tabs'), await shown('main h2'), await shown('.text')]).toEqual([false, false, true, true])
      const long = { content: btoa(`const a = '${'long '.repeat(80)}'\n`), message: 'Add a long line', branch: 'main', new_branch: 'long' }
      const made = await forge.api('POST /repos/grace/engine/contents/doc/long.ts', grace, long)
      const { commit } = (await made.json()) as { commit: { sha: string } }
      // What is chosen from is printed, and what it is chosen by not.
      await browser.open(at('/grace/engine/branches'))
      expect([await shown('.list a'), await shown('.list input'), await shown('form .danger')]).toEqual([true, false, false])
      // Paper cannot be moved sideways: a sheet of A4 with the margins that browsers leave.
      await browser.send('Emulation.setDeviceMetricsOverride', { width: 718, height: 1046, deviceScaleFactor: 1, mobile: false })
      for (const path of [
        '/grace/engine',
        '/grace/engine/src/branch/long/doc/long.ts',
        `/grace/engine/commit/${commit.sha}`,
        '/grace/engine/graph',
        '/grace/engine/issues/1',
      ]) {
        await browser.open(at(path))
        const cut =
          "[...document.querySelectorAll('main *')].filter((one) => !one.closest('.unseen') && one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')"
        const culprits = await browser.evaluate<string[]>(`${cut}.map((one) => one.outerHTML.slice(0, 120))`)
        expect([path, await browser.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), culprits]).toEqual([path, true, []])
      }
      await browser.send('Emulation.clearDeviceMetricsOverride')
      await browser.media({})
    })

    // Asks no other host for anything, and breaks no rule of its own.
    afterAll(() => {
      const tabs = [...members, ...visitors]
      const hosts = new Set(
        tabs
          .flatMap(({ requests }) => requests)
          .filter((url) => !url.startsWith('data:'))
          .map((url) => URL.parse(url)?.hostname),
      )
      expect([...hosts]).toEqual(['localhost'])
      // A page that is not there is meant to be looked at, too, and the one that says that nobody can sign up.
      expect(
        tabs.flatMap(({ complaints }) => complaints).filter((complaint) => !/status of 40[34].*\/(grace\/nothing|user\/sign_up)$/.test(complaint)),
      ).toEqual([])
    })
  })
})
