import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gateTerms, termsOf } from '../src/access/index.ts'
import { type TestForge, testForge } from './harness.ts'

/** The house rules of DESIGN.md, as programs; each failure names the file and the better way. */

/** Source text without comments, which may speak of anything. */
function codeOf({ text }: Source): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

const src = join(import.meta.dir, '../src')

interface Source {
  /** Below `src/`, with slashes. */
  path: string
  text: string
  /** Paths below `src/` for our own files, else package names. */
  imports: { from: string; isOurs: boolean; typeOnly: boolean }[]
}

const all = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map(readSource)
/** Tests may reach further than what they test. */
const sources = all.filter(({ path }) => !/\.(test|fixture)\.ts$/.test(path) && path !== 'git/store/contract.ts')

function readSource(path: string): Source {
  const text = readFileSync(join(src, path), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gm)
  const imports = [...statements].map(([, type, from, lazy]) => {
    const name = from ?? lazy
    const isOurs = name.startsWith('.')
    return { from: isOurs ? relative(src, join(src, dirname(path), name)).replaceAll('\\', '/') : name, isOurs, typeOnly: type !== undefined }
  })
  return { path, text, imports }
}

/** Every import that `isWrong` finds wrong, as `file → import`. */
function wrongImports(within: RegExp, isWrong: (from: string, source: Source, typeOnly: boolean) => boolean): string[] {
  return sources
    .filter(({ path }) => within.test(path))
    .flatMap((source) => source.imports.filter(({ from, typeOnly }) => isWrong(from, source, typeOnly)).map(({ from }) => `${source.path} → ${from}`))
}

const isOurs = (from: string) => from.includes('/') && from.endsWith('.ts')
const roomOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')

test('kernel/ imports nothing of ours but itself', () => {
  expect(wrongImports(/^kernel\//, (from) => from.endsWith('.ts') && !from.startsWith('kernel/'))).toEqual([])
})

test('git/ knows no users, HTTP or tables: of ours it imports only itself and kernel/{errors,ids}', () => {
  const allowed = /^(git\/|kernel\/(errors|ids)\.ts$)/
  expect(wrongImports(/^git\//, (from) => from.endsWith('.ts') && !allowed.test(from))).toEqual([])
})

test('isomorphic-git is imported by git/porcelain.ts alone', () => {
  expect(wrongImports(/^(?!git\/porcelain\.ts$)/, (from) => from.startsWith('isomorphic-git'))).toEqual([])
})

/** What stands beside the rooms: context and configuration are passed to all, `paging` is a macro of the API. */
const common = /^(context|config|events|paging|version)\.ts$/

test('access/ stands below the slices and imports none of them', () => {
  expect(wrongImports(/^access\//, (from) => from.endsWith('.ts') && !/^(access|kernel|git)\//.test(from) && !common.test(from))).toEqual([])
})

test('rooms meet only through index.ts', () => {
  const open = /^(kernel|git)\//
  const isDeep = (from: string, { path }: Source) =>
    isOurs(from) && roomOf(from) !== roomOf(path) && !open.test(from) && !/^[\w-]+\/(index|events)\.ts$/.test(from)
  expect(wrongImports(/\//, isDeep)).toEqual([])
})

test('rooms that use each other form no circle', () => {
  const uses = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const room = roomOf(path)
    const others = imports.filter(({ from, typeOnly }) => !typeOnly && isOurs(from)).map(({ from }) => roomOf(from))
    uses.set(room, (uses.get(room) ?? new Set()).union(new Set(others.filter((other) => other !== '' && other !== room))))
  }
  const circleFrom = (path: string[]): string[] | undefined => {
    for (const next of uses.get(path.at(-1) as string) ?? []) {
      const circle = path.includes(next) ? [...path.slice(path.indexOf(next)), next] : circleFrom([...path, next])
      if (circle) return circle
    }
    uses.delete(path.at(-1) as string)
    return undefined
  }
  expect([...uses.keys()].flatMap((room) => circleFrom([room])?.join(' → ') ?? [])).toEqual([])
})

test('no slice imports what serves it: transport, cli, app, main', () => {
  const above = /^(transport|cli)\/|^(app|main)\.ts$/
  const below = /^(?!transport\/|cli\/|doctor\/|app\.ts$|main\.ts$)/
  expect(wrongImports(below, (from) => above.test(from))).toEqual([])
  expect(wrongImports(/^transport\//, (from) => /^cli\/|^(app|main)\.ts$/.test(from))).toEqual([])
})

test('SQL stands in store.ts files and the kernel, nowhere else', () => {
  const sql = /['"`]\s*(SELECT\s.+\sFROM|INSERT\s+(OR \w+ )?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|PRAGMA|CREATE TABLE)\b/
  const holders = sources.filter(({ path, text }) => !/^kernel\/|(^|\/|-)store\.ts$/.test(path) && sql.test(text))
  expect(holders.map(({ path }) => path)).toEqual([])
})

test('the environment is read by main.ts, which passes it on', () => {
  const readers = sources.filter((source) => source.path !== 'main.ts' && /\b(process|Bun)\.env\b/.test(codeOf(source)))
  expect(readers.map(({ path }) => path)).toEqual([])
})

test('nothing starts a program or evaluates text: no user input reaches a command line', () => {
  const starters = sources.filter((source) => /\bBun\.(spawn|spawnSync|\$)|child_process|\beval\(|new Function\(/.test(codeOf(source)))
  expect(starters.map(({ path }) => path)).toEqual([])
})

test('outbound requests go through the one guarded client', () => {
  const callers = sources.filter((source) => !source.path.startsWith('network/') && /(^|[^.\w])fetch\(/.test(codeOf(source)))
  expect(callers.map(({ path }) => path)).toEqual([])
})

test('a file has at most 400 lines', () => {
  const long = all.filter(({ text }) => text.split('\n').length > 401)
  expect(long.map(({ path }) => path)).toEqual([])
})

let forge: TestForge
beforeAll(() => {
  forge = testForge()
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Pictures, the API's own description, and whether the server is well: anyone may ask. */
const openToAll = /^\/(avatars\/|api\/swagger$|api\/healthz$|api\/forgejo\/v1\/version$|swagger\.v1\.json$|assets\/)/

test('every route states exactly one term of the gate', () => {
  const gated = forge.app.routes.filter(({ path }) => !openToAll.test(path))
  const wrong = gated.filter(({ hooks }) => termsOf(hooks.detail).length !== 1)
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  const kinds = new Set(gated.flatMap(({ hooks }) => termsOf(hooks.detail).map(({ kind }) => kind)))
  expect([...kinds].filter((kind) => !gateTerms.some((term) => term === kind))).toEqual([])
})

test('every route of the API has an operation id of its own, a summary and a tag', () => {
  const routes = forge.app.routes.filter(({ path, hooks }) => path.startsWith('/api/v1/') && hooks.detail?.hide !== true)
  const bare = routes.filter(({ hooks }) => !hooks.detail?.operationId || !hooks.detail.summary || !hooks.detail.tags?.length)
  expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  const ids = routes.map(({ hooks }) => hooks.detail?.operationId)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('what Elysia reads the source text of are arrow functions: methods lose their parameters when minified', () => {
  const functionsOf = (hook: unknown): unknown[] => (Array.isArray(hook) ? hook : [hook]).map((one) => (one as { fn?: unknown } | undefined)?.fn ?? one)
  const isArrow = (fn: unknown) => typeof fn !== 'function' || /^(async\s*)?(\(|\w+\s*=>)/.test(fn.toString())
  const wrong = forge.app.routes.filter(({ handler, hooks }) =>
    [handler, hooks.transform, hooks.beforeHandle, hooks.afterHandle, hooks.parse, hooks.error].flatMap(functionsOf).some((fn) => !isArrow(fn)),
  )
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
