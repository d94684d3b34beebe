import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Context } from '#context.ts'
import { syncDirectory } from '#git/store/sync-directory.ts'
import { breathe } from '#kernel/breathe.ts'
import { randomHex } from '#kernel/ids.ts'
import type { Picture } from './picture.ts'
import { listAvatars } from './store.ts'

/** A file this young may belong to a row that is about to be committed. */
const ORPHAN_MS = 3_600_000
const SWEEP_SECONDS = 600
/** Files looked at before others get their turn: about a millisecond. */
const AT_ONCE = 200

/** What files need of the context. */
type FileContext = Pick<Context, 'config' | 'log'>

/**
 * Keeps a picture durably and returns its name. The name is random and nobody's yet, so none sees the file before it is whole;
 * knowing it is what lets people see the picture, and a picture that someone else has too stays theirs when this one goes. Its last digits are
 * what the file is checked by.
 */
export async function savePicture({ config, log }: FileContext, { kind, bytes }: Picture): Promise<string> {
  const name = `${randomHex(20)}${sumOf(bytes)}.${kind}`
  const directory = directoryOf(config.dataPath)
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) syncDirectory(config.dataPath)
  try {
    await writeDurably(join(directory, name), bytes)
    syncDirectory(directory)
  } catch (error) {
    removePicture({ config, log }, name)
    throw error
  }
  return name
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** CRC-32, in hexadecimal. */
function sumOf(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0')
}

const pictureName = /^[0-9a-f]{40}([0-9a-f]{8})?\.[a-z]{3,4}$/

/** The bytes of a picture as they were stored; undefined when its file is gone. @throws Error for others, unless it is from before there were sums */
export async function loadPicture({ config }: FileContext, name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const bytes = await readFile(join(directoryOf(config.dataPath), name))
    const [, sum] = pictureName.exec(name) ?? []
    if (sum !== undefined && sum !== sumOf(bytes)) throw new Error(`Cannot read the avatar ${name}: the file is corrupt`)
    return bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Removes a picture's file. What fails is logged and left to the next sweep: the row has changed already. */
export function removePicture({ config, log }: FileContext, name: string): void {
  try {
    rmSync(join(directoryOf(config.dataPath), name), { force: true })
  } catch (error) {
    log.error('cannot delete an avatar file', error, { name })
  }
}

/** Sweeps now and then, for the first time at once. */
export function startSweepingPictures(context: Context): void {
  context.tasks.every(SWEEP_SECONDS, 'remove_unused_avatars', () => sweepPictures(context))
  context.tasks.runTask('remove_unused_avatars')
}

/**
 * Removes what nobody has any more: pictures of deleted accounts and repositories, and what crashes left. They may be very many, and each is
 * asked for on its own; a name that nobody had for so long is given to nobody again.
 */
export async function sweepPictures({ config, db, clock, log }: Context): Promise<void> {
  const directory = directoryOf(config.dataPath)
  const held = new Set(listAvatars(db))
  const oldest = clock.millis() - ORPHAN_MS
  const isOld = (name: string) => (statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest
  for (const [at, name] of listNames(directory).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await breathe()
    if (!held.has(name) && isOld(name)) removePicture({ config, log }, name)
  }
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => pictureName.test(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function directoryOf(dataPath: string): string {
  return join(dataPath, 'avatars')
}
