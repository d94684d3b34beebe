import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gateTerms, termsOf } from '#access/index.ts'
import { slices } from '#slices.ts'
import { type TestForge, testForge } from './harness.ts'

/** The house rules of DESIGN.md, as programs; each failure names the file and the better way. */

/** Source text without comments, which may speak of anything. */
function codeOf({ text }: Source): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

const src = join(import.meta.dir, '../src')

/** Districts in their order: a file uses those before its own, never those after. Rooms stand in those that are marked so. */
const districts: readonly { name: string; hasRooms?: true }[] = [
  { name: 'kernel' },
  { name: 'git' },
  { name: 'outbound', hasRooms: true },
  { name: 'blobs' },
  { name: 'access' },
  { name: 'markdown' },
  { name: 'web' },
  { name: 'people', hasRooms: true },
  { name: 'repositories', hasRooms: true },
  { name: 'code', hasRooms: true },
  { name: 'work', hasRooms: true },
  { name: 'automation', hasRooms: true },
  { name: 'packages', hasRooms: true },
  { name: 'community', hasRooms: true },
  { name: 'site', hasRooms: true },
  { name: 'doors', hasRooms: true },
]
const rankOf = (path: string) => districts.findIndex(({ name }) => path.startsWith(`${name}/`))

/** What stands at the top: what is passed to everybody, and what puts the server together. */
const passedToAll = /^(context|config|events|version)\.ts$/
const assembly = /^(main|app|slices)\.ts$|^cli\//

interface Source {
  /** Below `src/`, with slashes. */
  path: string
  text: string
  /** Paths below `src/` for our own files, else package names. */
  imports: { from: string; isOurs: boolean }[]
}

const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
const all = paths.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')).map(readSource)
/** Tests may reach further than what they test. */
const sources = all.filter(({ path }) => !/\.(test|fixture)\.tsx?$/.test(path) && path !== 'git/store/contract.ts')

function readSource(path: string): Source {
  const text = readFileSync(join(src, path), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gm)
  const imports = [...statements].map(([, from, lazy]) => {
    const name = (from ?? lazy) as string
    if (name.startsWith('#')) return { from: name.slice(1), isOurs: true }
    if (!name.startsWith('.')) return { from: name, isOurs: false }
    return { from: relative(src, join(src, dirname(path), name)).replaceAll('\\', '/'), isOurs: true }
  })
  return { path, text, imports: imports.filter(({ from }) => !from.startsWith('..')) }
}

/** Every import that `isWrong` finds wrong, as `file → import`. */
function wrongImports(within: RegExp, isWrong: (from: string, source: Source) => boolean): string[] {
  return sources
    .filter(({ path }) => within.test(path))
    .flatMap((source) => source.imports.filter(({ from }) => isWrong(from, source)).map(({ from }) => `${source.path} → ${from}`))
}

const isOurs = (from: string) => /\.(tsx?|sql)$/.test(from) && (from.includes('/') || passedToAll.test(from) || assembly.test(from))

/** `people/users` of a file in a room, `access` of one in a district without rooms, nothing for files at the top. */
function roomOf(path: string): string {
  const [district, room] = path.split('/')
  const hasRooms = districts.some(({ name, hasRooms }) => name === district && hasRooms)
  return path.includes('/') ? (hasRooms ? `${district}/${room}` : (district as string)) : ''
}

test('the top holds the files that DESIGN.md names and the districts', () => {
  const known = /^(main|app|slices|context|config|events|version)\.ts$|\.(test|d)\.ts$/
  const folders = new Set([...districts.map(({ name }) => name), 'cli'])
  const strangers = readdirSync(src, { withFileTypes: true }).filter((entry) => (entry.isDirectory() ? !folders.has(entry.name) : !known.test(entry.name)))
  expect(strangers.map(({ name }) => name)).toEqual([])
})

test('districts use what stands below them, never what stands above', () => {
  const isAbove = (from: string, { path }: Source) => {
    if (!isOurs(from) || assembly.test(path)) return false
    return assembly.test(from) || (rankOf(path) >= 0 && rankOf(from) > rankOf(path))
  }
  expect(wrongImports(/\//, isAbove)).toEqual([])
})

test('kernel/ imports nothing of ours but itself', () => {
  expect(wrongImports(/^kernel\//, (from) => isOurs(from) && !from.startsWith('kernel/'))).toEqual([])
})

test('git/ knows no users, HTTP or tables: of ours it imports only itself and kernel/{askers,breathe,descriptors,errors,fair-line,glob,ids,keyed-mutex,lru-map,turns}', () => {
  const allowed = /^(git\/|kernel\/(askers|breathe|descriptors|errors|fair-line|glob|ids|keyed-mutex|lru-map|turns)\.ts$)/
  expect(wrongImports(/^git\//, (from) => isOurs(from) && !allowed.test(from))).toEqual([])
})

test('the context knows nobody above access/: rooms register with those below them, in hooks.ts', () => {
  expect(wrongImports(/^context\.ts$/, (from) => isOurs(from) && !passedToAll.test(from) && !/^(kernel|git|outbound|access)\//.test(from))).toEqual([])
})

test('what is passed to all is taken by access/ and what stands above it', () => {
  expect(wrongImports(/^(kernel|git|outbound|blobs)\//, (from) => passedToAll.test(from) && from !== 'version.ts')).toEqual([])
})

test('git/: objects, packs and stores know neither the wire nor the workers', () => {
  expect(wrongImports(/^git\/(objects|refs|packs|store|history|browse)\//, (from) => /^git\/(protocol|workers)\//.test(from))).toEqual([])
})

test('isomorphic-git is imported by git/porcelain.ts alone', () => {
  expect(wrongImports(/^(?!git\/porcelain\.ts$)/, (from) => from.startsWith('isomorphic-git'))).toEqual([])
})

test('rooms meet only through index.ts and hooks.ts; the lists at the top read their slice.ts, events.ts and settings.ts too', () => {
  const open = /^(kernel|git)\//
  const offered = /\/(index|hooks|events|settings|slice)\.ts$/
  const isDeep = (from: string, { path }: Source) =>
    isOurs(from) &&
    from.includes('/') &&
    roomOf(from) !== roomOf(path) &&
    !open.test(from) &&
    !from.startsWith('cli/') &&
    !(path.includes('/') ? /\/(index|hooks)\.ts$/ : offered).test(from)
  expect(wrongImports(/^(?!context\.ts$)/, isDeep)).toEqual([])
})

/** The first way from `path`'s end back to a member of it. */
function circleFrom(uses: Map<string, Set<string>>, path: string[]): string[] | undefined {
  for (const next of uses.get(path.at(-1) as string) ?? []) {
    const circle = path.includes(next) ? [...path.slice(path.indexOf(next)), next] : circleFrom(uses, [...path, next])
    if (circle) return circle
  }
  uses.delete(path.at(-1) as string)
  return undefined
}

const circlesOf = (uses: Map<string, Set<string>>) => [...new Set([...uses.keys()].flatMap((start) => circleFrom(uses, [start])?.join(' → ') ?? []))]

test('rooms that use each other form no circle', () => {
  const uses = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const room = roomOf(path)
    const others = imports.filter(({ from }) => isOurs(from)).map(({ from }) => roomOf(from))
    if (room !== '') uses.set(room, (uses.get(room) ?? new Set()).union(new Set(others.filter((other) => other !== '' && other !== room))))
  }
  expect(circlesOf(uses)).toEqual([])
})

test('files form no circle, not even by types', () => {
  expect(circlesOf(new Map(sources.map(({ path, imports }) => [path, new Set(imports.filter(({ from }) => isOurs(from)).map(({ from }) => from))])))).toEqual(
    [],
  )
})

test('every .sql file is imported by the list of its room', () => {
  const listed = new Set(sources.flatMap(({ imports }) => imports.map(({ from }) => from)))
  expect(paths.filter((path) => path.endsWith('.sql') && !listed.has(path))).toEqual([])
})

test('SQL stands in store.ts files and the kernel, nowhere else', () => {
  const sql = /['"`]\s*(SELECT\s.+\sFROM|INSERT\s+(OR \w+ )?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|PRAGMA|CREATE TABLE)\b/
  const holders = sources.filter(({ path, text }) => !/^kernel\/|(^|\/|-)store\.ts$/.test(path) && sql.test(text))
  expect(holders.map(({ path }) => path)).toEqual([])
})

test('stars, watches, topics and collaborators own their tables; access/ alone reads a table of theirs too, for permissions', () => {
  const owners = { star: 'community/stars', watch: 'community/watches', topic: 'repositories/topics', collaboration: 'repositories/collaborators' }
  const users = Object.entries(owners).flatMap(([table, room]) => {
    const use = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE) ${table}\\b|\\b(?:insert|update)\\('${table}'`)
    return sources.filter((source) => use.test(codeOf(source)) && roomOf(source.path) !== room).map(({ path }) => `${path}: ${table}`)
  })
  expect(users.filter((use) => !/^access\/.*: collaboration$/.test(use))).toEqual([])
})

test('queries read live_comment, live_label and live_milestone; one that needs deleted rows as well says so: `comment AS any_comment`', () => {
  const read = /(?<!DELETE )\b(?:FROM|JOIN) (comment|label|milestone)\b(?! AS any_\1\b)/g
  const readers = sources.filter(({ path }) => /store\.tsx?$/.test(path)).map((source) => ({ path: source.path, found: codeOf(source).match(read) ?? [] }))
  expect(readers.flatMap(({ path, found }) => found.map((one) => `${path}: ${one}`))).toEqual([])
})

test('routes stand in routes.ts or *-routes.ts, pages in pages.ts; only the gate and the server are built elsewhere', () => {
  const builders = sources.filter((source) => /\bnew Elysia\(/.test(codeOf(source)) && !/^app\.ts$|^access\/(gate|paging)\.ts$/.test(source.path))
  expect(builders.map(({ path }) => path).filter((path) => !/\/(?:[\w-]+-)?(?:routes|pages)\.tsx?$/.test(path))).toEqual([])
})

test('the environment is read by main.ts, which passes it on', () => {
  const readers = sources.filter((source) => source.path !== 'main.ts' && /\b(process|Bun)\.env\b/.test(codeOf(source)))
  expect(readers.map(({ path }) => path)).toEqual([])
})

test('nothing starts a program or evaluates text, but for the one that a setting says takes mail: no user input reaches a command line', () => {
  const starters = sources.filter((source) => /\bBun\.(spawn|spawnSync|\$)|child_process|\beval\(|new Function\(/.test(codeOf(source)))
  expect(starters.map(({ path }) => path)).toEqual(['outbound/mail/hand-over.ts'])
})

test('outbound requests go through the one guarded client', () => {
  const callers = sources.filter((source) => !source.path.startsWith('outbound/') && /(^|[^.\w])fetch\(/.test(codeOf(source)))
  expect(callers.map(({ path }) => path)).toEqual([])
})

test("bodies are read through kernel/bodies/request-body.ts, which holds them to what their request's signature says", () => {
  const readers = sources.filter((source) => /\brequest\.(body\b|(arrayBuffer|blob|bytes|formData|json|text)\()/.test(codeOf(source)))
  expect(readers.map(({ path }) => path)).toEqual(['kernel/bodies/request-body.ts'])
})

test('tests learn what work fails with from outcome.ts: expect(…).rejects runs the event loop within a turn, whose messages never come', () => {
  const others = readdirSync(import.meta.dir, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts') && path !== 'outcome.ts')
  const texts = [...all.map(({ path, text }) => ({ path, text })), ...others.map((path) => ({ path, text: readFileSync(join(import.meta.dir, path), 'utf8') }))]
  const using = texts.filter(({ path, text }) => path !== 'architecture.test.ts' && /\)\s*\.(rejects|resolves)\s*\./.test(text))
  expect(using.map(({ path }) => path)).toEqual([])
})

test('tests neither sleep nor look at a clock: they wait by test/eventually.ts and move time by hand, with test/manual-clock.ts or fake timers', () => {
  const root = join(src, '..')
  const files = ['src', 'test', 'build'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path).replaceAll('\\', '/')),
  )
  const tests = files.filter((path) => /\.test\.tsx?$/.test(path) && path !== 'test/architecture.test.ts')
  const wrong = tests.filter((path) =>
    /\bsetTimeout\b|\bBun\.sleep|\bperformance\.now\b|\bDate\.now\b/.test(codeOf({ path, text: readFileSync(join(root, path), 'utf8'), imports: [] })),
  )
  expect(wrong).toEqual([])
})

test('a file has at most 400 lines', () => {
  const long = all.filter(({ text }) => text.split('\n').length > 401)
  expect(long.map(({ path }) => path)).toEqual([])
})

test('the list of slices has every room that has one, once', () => {
  const listed = slices.map(({ name }) => name)
  const folders = paths.filter((path) => path.endsWith('/slice.ts')).map((path) => path.split('/').at(-2) as string)
  expect(listed.toSorted()).toEqual([...folders.filter((name) => name !== 'kernel'), 'kernel'].sort())
})

test('the README shows every room in its district', () => {
  const house = readFileSync(join(src, '../README.md'), 'utf8').replace(/\n {16}/g, ' ')
  const rooms = new Set(paths.map(roomOf).filter((room) => room.includes('/')))
  const missing = [...rooms].filter((room) => {
    const [district, name] = room.split('/') as [string, string]
    return !new RegExp(`^${district}/ .*\\b${name}\\b`, 'm').test(house)
  })
  expect(missing.filter((room) => !room.includes('.'))).toEqual([])
})

let forge: TestForge
beforeAll(() => {
  forge = testForge()
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Pictures, the API's own description, what robots and browsers ask about a site, and whether the server is well: anyone may ask. */
const openToAll =
  /^\/(avatars\/|api\/swagger$|api\/healthz$|api\/forgejo\/v1\/version$|swagger\.v1\.json$|favicon\.ico$|robots\.txt$|\.well-known\/change-password$|opensearch\.xml$|assets\/)/

test('every route states exactly one term of the gate', async () => {
  const gated = (await forge.app.routes()).filter(({ path }) => !openToAll.test(path))
  const wrong = gated.filter(({ hooks }) => termsOf(hooks.detail).length !== 1)
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  const kinds = new Set(gated.flatMap(({ hooks }) => termsOf(hooks.detail).map(({ kind }) => kind)))
  expect([...kinds].filter((kind) => !gateTerms.some((term) => term === kind))).toEqual([])
})

test('every route of the API has an operation id of its own, a summary and a tag', async () => {
  const routes = (await forge.app.routes()).filter(({ path, hooks }) => path.startsWith('/api/v1/') && hooks.detail?.hide !== true)
  const bare = routes.filter(({ hooks }) => !hooks.detail?.operationId || !hooks.detail.summary || !hooks.detail.tags?.length)
  expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  const ids = routes.map(({ hooks }) => hooks.detail?.operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('a route answers with the one success that its response declares; its handler does not repeat it', async () => {
  const repeats = (await forge.app.routes()).filter(({ handler, hooks }) => {
    const successes = Object.keys(hooks.response ?? {}).filter((status) => /^2\d\d$/.test(status))
    return successes.length === 1 && /\bset\.status\s*=\s*2\d\d\b/.test(String(handler))
  })
  expect(repeats.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('what Elysia reads the source text of are arrow functions: methods lose their parameters when minified', async () => {
  const functionsOf = (hook: unknown): unknown[] => (Array.isArray(hook) ? hook : [hook]).map((one) => (one as { fn?: unknown } | undefined)?.fn ?? one)
  const isArrow = (fn: unknown) => typeof fn !== 'function' || /^(async\s*)?(\(|\w+\s*=>)/.test(fn.toString())
  const wrong = (await forge.app.routes()).filter(({ handler, hooks }) =>
    [handler, hooks.transform, hooks.beforeHandle, hooks.afterHandle, hooks.parse, hooks.error].flatMap(functionsOf).some((fn) => !isArrow(fn)),
  )
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
