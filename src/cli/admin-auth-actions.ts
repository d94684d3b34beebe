import { readFileSync } from 'node:fs'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { getSource, listSourceRows, management, type SourceKind } from '#people/sources/index.ts'
import type { Session } from './environment.ts'
import type { StoreOptions } from './load.ts'
import { openOrMakeStore, openStore } from './open-store.ts'
import { painter, printable, table } from './terminal.ts'

/** What all ways to make or change a source take, and the settings of its kind beside that. */
interface CommonOptions extends StoreOptions {
  name?: string
  active?: boolean
  notActive?: boolean
  synchronizeUsers?: boolean
  disableSynchronizeUsers?: boolean
  skipLocal2fa?: boolean
  [option: string]: unknown
}
export interface AddSourceOptions extends CommonOptions {
  name: string
}
export interface UpdateSourceOptions extends CommonOptions {
  id: number
}

/** A command line about a source of one kind. */
interface Asked<Options> {
  options: Options
  kind: SourceKind
  /** By what an option is called, which setting it is. */
  fields: ReadonlyMap<string, string>
}

export async function addSourceCommand(asked: Asked<AddSourceOptions>, session: Session): Promise<void> {
  const { addSource, CreateAuthSourceOption } = await management()
  const body = checked(CreateAuthSourceOption, { type: asked.kind, ...(await bodyOf(asked)) })
  await using context = openOrMakeStore(asked.options, session)
  const { id, name } = addSource(context, body)
  session.out.print(`Created authentication source "${printable(name)}" with ID ${id}. To test it: pocketforge admin auth test --id ${id}`)
}

export async function updateSourceCommand(asked: Asked<UpdateSourceOptions>, session: Session): Promise<void> {
  const { editSource, EditAuthSourceOption } = await management()
  const body = checked(EditAuthSourceOption, await bodyOf(asked))
  await using context = openStore(asked.options, session)
  const { name } = editSource(context, asked.options.id, body)
  session.out.print(`Updated authentication source "${printable(name)}".`)
}

/** As the API would check it. @throws Error naming what is wrong */
function checked<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const wrong = Value.Errors(schema, body).First()
  if (wrong) throw new Error(`[${wrong.path.slice(1).replaceAll('/', '.')}]: ${wrong.message}`)
  return body as Static<S>
}

/** As the API takes it. */
async function bodyOf({ options, kind, fields }: Asked<CommonOptions>): Promise<Record<string, unknown>> {
  const settings = Object.fromEntries([...fields].flatMap(([option, name]) => (options[option] === undefined ? [] : [[name, options[option]]])))
  for (const [option, name] of fields) {
    const file = options[`${option}File`]
    if (typeof file === 'string') settings[name] = await readText(file)
  }
  const flags = {
    name: options.name,
    is_active: options.notActive ? false : options.active,
    is_sync_enabled: options.disableSynchronizeUsers ? false : options.synchronizeUsers,
    skip_local_2fa: options.skipLocal2fa,
  }
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  return { ...given, [kind]: settings }
}

/** Without the line's end that editors and `echo` put there. */
async function readText(file: string): Promise<string> {
  const text = file === '-' ? await Bun.stdin.text() : readFileSync(file, 'utf8')
  return text.replace(/\r?\n$/, '')
}

/** In the order in which they are asked. */
export async function listSourcesCommand(options: StoreOptions & { json?: boolean }, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const { presentSource } = await management()
  const sources = listSourceRows(context.db).map((row) => presentSource(context, row))
  if (options.json) return session.out.print(JSON.stringify(sources, null, 2))
  const paint = painter(session.out)
  const cells = sources.map(({ id, name, type, is_active, is_sync_enabled, users_count }) => [
    String(id),
    printable(name),
    type,
    is_active ? 'yes' : 'no',
    is_sync_enabled ? 'yes' : 'no',
    String(users_count),
  ])
  session.out.print(table([['ID', 'NAME', 'TYPE', 'ACTIVE', 'SYNC', 'USERS'], ...cells], (text, row) => (row === 0 ? paint('bold', text) : text)))
}

export interface SourceOptions extends StoreOptions {
  id: number
}

export async function deleteSourceCommand(options: SourceOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const { deleteSource, getSourceRow } = await management()
  const { name } = getSourceRow(context.db, options.id)
  deleteSource(context, options.id)
  session.out.print(`Deleted authentication source "${printable(name)}".`)
}

export interface TestSourceOptions extends SourceOptions {
  username?: string
  passwordFile: string
  json?: boolean
}

/** Ends with 1 when the source cannot be asked, or does not let them in. */
export async function testSourceCommand({ username, passwordFile, ...options }: TestSourceOptions, session: Session): Promise<void> {
  const password = username === undefined ? undefined : await readText(passwordFile)
  await using context = openStore(options, session)
  const { testSource } = await management()
  const answer = await testSource(context, getSource(context, options.id), { username, password })
  if (!answer.ok) session.exitCode = 1
  if (options.json) return session.out.print(JSON.stringify(answer, null, 2))
  session.out.print(printable(answer.message))
  if (answer.user) session.out.print(table(Object.entries(answer.user).map(([name, value]) => [name, printable(String(value))])))
}
