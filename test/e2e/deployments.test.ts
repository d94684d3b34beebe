import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ADMIN_PASSWORD, runBinary } from '../binary.ts'
import { git, tryGit } from '../git.ts'
import { soak } from '../soak.ts'
import { certificate, type SubPathProxy, startProxy } from './behind-proxy.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { fillSite } from './fill-site.ts'
import { commitFiles, forgeForStories, type Member, newWorkingCopy, story } from './forge.ts'
import { steps } from './steps.ts'
import { PASSWORD } from './web-forge.ts'

/** The two ways in which most servers stand: under a name of the LAN without HTTPS, and behind a proxy that gives HTTPS and a path of its own. */

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  story('at a name of the LAN, over plain HTTP', () => {
    const forge = forgeForStories()
    let browser: Chromium
    let host: string
    const at = (path: string) => `http://${host}${path}`

    beforeAll(async () => {
      browser = await Chromium.start(forge.directory, { hosts: ['MAP nas 127.0.0.1'] })
      host = `nas:${new URL(forge.server.origin).port}`
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    test('signs people in, and keeps other sites out', () =>
      steps({
        'one signs in, makes a repository, pushes to the address that the page names, and stays signed in': async () => {
          await browser.open(at('/user/login'))
          await browser.submit('form[action="/user/login"]', { user_name: 'admin', password: ADMIN_PASSWORD })
          await browser.open(at('/repo/create'))
          await browser.submit('form[action="/repo/create"]', { name: 'engine' })
          const address = at('/admin/engine.git').replace('://', '://admin@')
          expect(await browser.text()).toContain(`git remote add origin ${address}`)
          const copy = await newWorkingCopy(join(forge.directory, 'copy'))
          await commitFiles(copy, 'Begin', { 'README.md': '# The engine\n\n[up](a.txt)\n', 'a.txt': 'a\n' })
          const remote = address.replace('admin@', `admin:${encodeURIComponent(ADMIN_PASSWORD)}@`)
          await git(['-c', `http.curloptResolve=${host}:127.0.0.1`, 'push', '--quiet', remote, 'main'], { cwd: copy })
          await browser.open(at('/admin/engine'))
          await browser.follow('up')
          expect([await browser.evaluate<string>('location.host'), await browser.text('#L1')]).toEqual([host, expect.stringContaining('a')])
        },
        'what needs HTTPS is done without it: drafts, copies, previews, and what was done is said once': async () => {
          await browser.open(at('/admin/engine/issues/new'))
          await browser.type('input[name=title]', 'It breaks')
          await browser.submit('main form[enctype]', { body: 'first' })
          await browser.choose('Comment', { body: 'words' }, { of: '#write' })
          await browser.choose('Delete comment')
          expect(await browser.text('.told')).toContain('Comment deleted')
          await browser.choose('Undo', {}, { of: '.told' })
          await browser.open(at('/admin/engine/src/branch/main/a.txt'))
          await browser.evaluate('document.querySelector(\'a[href="#L1"]\').click()')
          await browser.evaluate("document.addEventListener('copy', ({ target }) => (copied = target.value))")
          await browser.evaluate("[...document.querySelectorAll('[data-lines] button')].find((one) => one.textContent === 'Copy permalink').click()")
          await browser.until('globalThis.copied')
          expect(await browser.evaluate<string>('copied')).toStartWith(at('/admin/engine/src/commit/'))
        },
        'another server of the same machine, to which the cookie goes as well, sends no form in one’s name': async () => {
          const form = `<form method="post" action="${at('/admin/engine/issues/1/comments')}" enctype="multipart/form-data"><input name="body" value="evil"><button>`
          const page = () => new Response(`<!DOCTYPE html><main>${form}Win</button></form></main>`, { headers: { 'Content-Type': 'text/html' } })
          const evil = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: page })
          await browser.open(`http://nas:${evil.port}/`)
          await browser.choose('Win')
          await evil.stop(true)
          expect([await browser.evaluate<string>('location.host'), await browser.text('body')]).toEqual([host, expect.stringContaining('another site')])
          await browser.open(at('/admin/engine/issues/1'))
          const isSignedIn = await browser.evaluate<boolean>('document.querySelector(\'form[action$="/user/logout"]\') !== null')
          expect([isSignedIn, await browser.text()]).toEqual([true, expect.not.stringContaining('evil')])
        },
        'and nothing but that form was complained about': () => {
          // A header that is for HTTPS alone is ignored aloud.
          const expected = /status of 403.*\/comments$|Cross-Origin-Opener-Policy header has been ignored/
          expect(browser.complaints.filter((complaint) => !expected.test(complaint))).toEqual([])
        },
      }))
  })

  story('behind a proxy, with HTTPS and a path of its own', () => {
    const env: Record<string, string> = {}
    let proxy: SubPathProxy
    let upstream = ''
    beforeAll(() => {
      proxy = startProxy('/git/', () => upstream)
      env.POCKETFORGE_SERVER_ROOT_URL = proxy.root
    })
    const forge = forgeForStories({ env })
    let browser: Chromium
    let grace: Member
    let cookie = ''
    const everyPage: string[] = []
    const trusting = { tls: { ca: certificate } }
    const at = (path: string) => proxy.root + path.slice(1)

    beforeAll(async () => {
      upstream = forge.server.origin
      const person = ['--username', 'grace', '--email', 'grace@example.org', '--password', PASSWORD, '--admin', '--access-token', '--quiet']
      const made = await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...person])
      grace = { name: 'grace', token: made.stdout.trim(), authorization: '' }
      await fillSite((line, body) => forge.api(line, grace, body))
      browser = await Chromium.start(forge.directory, { flags: ['--ignore-certificate-errors'] })
    }, 60_000)
    afterAll(async () => {
      await browser?.[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    })

    const ask = (path: string, init: RequestInit = {}) => fetch(at(path), { ...trusting, ...init })
    const withToken = () => ({ Authorization: `token ${grace.token}` })
    const api = async (path: string) => (await ask(`/api/v1${path}`, { headers: withToken() })).json() as Promise<unknown>

    test('serves every page, address and form below that path', () =>
      steps({
        'one signs in, by a cookie that goes nowhere else': async () => {
          await browser.open(at('/notifications'))
          expect(await browser.evaluate<string>('location.href')).toBe(at('/user/login?redirect_to=%2Fnotifications'))
          await browser.submit('form[action$="/user/login"]', { user_name: 'grace', password: PASSWORD })
          expect(await browser.evaluate<string>('location.pathname')).toBe('/git/notifications')
          const { cookies } = (await browser.send('Network.getCookies')) as { cookies: { name: string; value: string; secure: boolean; httpOnly: boolean }[] }
          expect(cookies).toMatchObject([{ name: expect.stringMatching(/^__Host-/), secure: true, httpOnly: true }])
          cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
        },
        'no link of any page leads out of the path, or nowhere': async () => {
          const dead: string[] = []
          const outside: string[] = []
          const seen = new Map([[at('/'), '']])
          const shapes = new Map<string, number>()
          const meet = (address: string, from: string) => {
            const url = URL.parse(address, from)
            if (url?.origin !== proxy.origin) return
            url.hash = ''
            if (!url.pathname.startsWith('/git/') && url.pathname !== '/git') outside.push(`${address} on ${from}`)
            const shape = shapeOf(url)
            const count = shapes.get(shape) ?? 0
            if (seen.has(url.href) || count >= MOST_ALIKE) return
            shapes.set(shape, count + 1)
            seen.set(url.href, from)
          }
          for (const [address, from] of seen) {
            const answer = await fetch(address, { ...trusting, redirect: 'manual', headers: { Cookie: cookie, Accept: 'text/html' } })
            if (answer.status >= 400) dead.push(`${answer.status} ${address} on ${from}`)
            const location = answer.headers.get('location')
            if (location !== null) meet(location, address)
            const text = await answer.text()
            if (!answer.headers.get('content-type')?.startsWith('text/html')) continue
            everyPage.push(address)
            for (const [, name = '', raw = ''] of text.matchAll(/\s(href|src|action|formaction|data-preview|data-later)="([^"]*)"/g)) {
              const value = raw.replaceAll('&amp;', '&')
              if (name === 'href' || name === 'src') meet(value, address)
              else if (value !== '' && !new URL(value, address).href.startsWith(proxy.root)) outside.push(`${name} ${value} on ${address}`)
            }
          }
          expect([dead, outside, proxy.strays]).toEqual([[], [], []])
          expect(shapes.size).toBeGreaterThan(200)
        },
        'a browser that opens some of them has nothing to complain about': async () => {
          const some = everyPage.filter((_, i) => i % Math.ceil(everyPage.length / MOST_OPENED) === 0)
          for (const address of some) {
            await browser.open(address)
            const names = await browser.evaluate<string[]>("[...document.querySelectorAll('use')].map((one) => one.getAttribute('href'))")
            expect([address, names.filter((name) => !name.startsWith('/git/'))]).toEqual([address, []])
          }
          expect([browser.complaints, proxy.strays]).toEqual([[], []])
          expect(browser.requests.filter((url) => !url.startsWith(proxy.root) && !url.startsWith('data:'))).toEqual([])
        },
        'every address that the API, feeds and pages for programs give is one of ours, and leads somewhere': async () => {
          const found = new Map<string, string>()
          const lists = [
            '/repos/grace/engine',
            '/repos/grace/engine/branches',
            '/repos/grace/engine/commits',
            '/repos/grace/engine/contents/doc',
            '/repos/grace/engine/releases',
          ]
          const more = [
            '/repos/grace/engine/issues?type=all',
            '/repos/grace/engine/issues/1/comments',
            '/repos/grace/engine/pulls',
            '/user',
            '/orgs/acme',
            '/repos/grace/engine/wiki/pages',
          ]
          for (const path of [...lists, ...more, '/repos/grace/engine/git/trees/main', '/repos/grace/engine/tags', '/notifications?all=true']) {
            for (const url of addressesIn(await api(path))) found.set(url, path)
          }
          for (const path of [
            '/grace/engine.rss',
            '/grace/engine/releases.atom',
            '/opensearch.xml',
            '/grace/engine?go-get=1',
            '/.well-known/openid-configuration',
          ]) {
            const text = await (await ask(path, { headers: withToken() })).text()
            for (const [url] of text.matchAll(/https?:\/\/localhost[^\s"'<>]*/g)) found.set(url.replaceAll('&amp;', '&'), path)
          }
          const wrong: string[] = []
          for (const [url, from] of found) {
            if (!url.startsWith(proxy.root) && url !== proxy.root.slice(0, -1)) wrong.push(`${url} in ${from}`)
            else if (!/\/activity\/\d+$|\/git$|\{|\.git$|\/login\/oauth\//.test(url)) {
              const answer = await fetch(url, { ...trusting, headers: url.includes('/api/v1/') ? withToken() : { Cookie: cookie } })
              await answer.arrayBuffer()
              if (answer.status >= 400) wrong.push(`${answer.status} ${url} in ${from}`)
            }
          }
          expect(wrong).toEqual([])
          expect(found.size).toBeGreaterThan(60)
        },
        'git pushes and clones, by the address that the page names and with what it says then': async () => {
          const ca = join(forge.directory, 'ca.pem')
          await Bun.write(ca, certificate)
          const copy = await newWorkingCopy(join(forge.directory, 'below'))
          await commitFiles(copy, 'Begin', { 'a.txt': 'a\n' })
          await git(['checkout', '--quiet', '-b', 'topic'], { cwd: copy })
          await browser.open(at('/grace/empty'))
          const [named = ''] = (await browser.text()).match(/https:\/\/\S+\.git/) ?? []
          expect(named).toBe(at('/grace/empty.git').replace('://', '://grace@'))
          const remote = named.replace('grace@', `grace:${grace.token}@`)
          const options = { cwd: copy, env: { GIT_SSL_CAINFO: ca } }
          await git(['push', '--quiet', remote, 'main'], options)
          const { stderr } = await tryGit(['push', remote, 'topic'], options)
          expect(stderr).toContain(at('/grace/empty/compare/main...topic'))
          await git(['clone', '--quiet', remote, 'again'], options)
          expect(await git(['rev-parse', 'main'], { cwd: copy })).toBe(await git(['-C', 'again', 'rev-parse', 'HEAD'], { cwd: copy }))
        },
        'files go in and out, old names lead on, and forms come back below the path': async () => {
          const file = join(forge.directory, 'note.txt')
          await Bun.write(file, 'a note')
          await browser.open(at('/grace/engine/issues/new'))
          await browser.attach('input[type=file]', file)
          await browser.submit('main form[enctype]', { title: 'With a file', body: 'see ![it](attachment:note.txt) and #1' })
          const address = await browser.evaluate<string>("document.querySelector('.attached a').href")
          expect(address).toStartWith(at('/attachments/'))
          expect(await (await fetch(address, { ...trusting, headers: { Cookie: cookie } })).text()).toBe('a note')
          await browser.follow('#1')
          expect(await browser.evaluate<string>('location.href')).toBe(at('/grace/engine/issues/1'))
          await ask('/api/v1/repos/grace/empty', {
            method: 'PATCH',
            headers: { ...withToken(), 'Content-Type': 'application/json' },
            body: '{"name":"full"}',
          })
          await browser.open(at('/grace/empty/commits/branch/main'))
          expect(await browser.evaluate<string>('location.href')).toBe(at('/grace/full/commits/branch/main'))
        },
        'an application is let in by what discovery says': async () => {
          const known = (await (await ask('/.well-known/openid-configuration')).json()) as {
            issuer: string
            authorization_endpoint: string
            token_endpoint: string
          }
          expect(known.issuer).toBe(proxy.root.slice(0, -1))
          const heard = Promise.withResolvers<string>()
          const application = Bun.serve({
            port: 0,
            hostname: '127.0.0.1',
            fetch: ({ url }) => {
              heard.resolve(url)
              // Or the browser would ask for an icon, of nobody once the test is over.
              return new Response('<link rel="icon" href="data:,">Welcome', { headers: { 'Content-Type': 'text/html' } })
            },
          })
          const redirect_uri = `http://127.0.0.1:${application.port}/callback`
          const body = JSON.stringify({ name: 'Dashboard', redirect_uris: [redirect_uri], confidential_client: true })
          const made = await ask('/api/v1/user/applications/oauth2', {
            method: 'POST',
            headers: { ...withToken(), 'Content-Type': 'application/json' },
            body,
          })
          const { client_id, client_secret } = (await made.json()) as Record<'client_id' | 'client_secret', string>
          await browser.open(`${known.authorization_endpoint}?${new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'openid' })}`)
          await browser.submit('form.form')
          const code = new URL(await heard.promise).searchParams.get('code') ?? ''
          const fields = new URLSearchParams({ grant_type: 'authorization_code', client_id, client_secret, code, redirect_uri })
          const tokens = (await (await fetch(known.token_endpoint, { ...trusting, method: 'POST', body: fields })).json()) as { id_token: string }
          expect(JSON.parse(atob(tokens.id_token.split('.')[1] ?? ''))).toMatchObject({ iss: known.issuer })
          await application.stop(true)
        },
        'a passkey is added, and signs in without the password': async () => {
          await browser.send('WebAuthn.enable')
          const authenticator = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
          await browser.send('WebAuthn.addVirtualAuthenticator', { options: { ...authenticator, automaticPresenceSimulation: true } })
          await browser.open(at('/user/settings/security'))
          await browser.submit('form[data-ceremony=create]', { name: 'The virtual one' })
          await browser.submit('form[action$="/user/logout"]')
          await browser.open(at('/user/login?redirect_to=/grace/engine'))
          await browser.submit('form[data-ceremony=get]')
          expect(await browser.evaluate<string>('location.href')).toBe(at('/grace/engine'))
          expect([browser.complaints, proxy.strays]).toEqual([[], []])
        },
      }))
  })
})

/** How many pages the browser opens; the accessibility test opens all of them at the root. */
const MOST_OPENED = soak(12, 40)

/** So many addresses that differ in numbers and ids alone are followed. */
const MOST_ALIKE = soak(1, 2)

function shapeOf({ pathname, searchParams }: URL): string {
  const path = pathname.replace(/\b[0-9a-f]{7,64}\b/g, 'OID').replace(/\d+/g, 'N')
  return `${path}?${[...new Set(searchParams.keys())].toSorted()}`
}

/** Every address in a record, at whatever depth, but those in texts that people wrote. */
function addressesIn(record: unknown): string[] {
  if (typeof record === 'string') return /^https?:\/\/localhost/.test(record) ? [record] : []
  return record === null || typeof record !== 'object' ? [] : Object.values(record).flatMap(addressesIn)
}
