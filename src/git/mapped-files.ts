import { dlopen, FFIType, ptr } from 'bun:ffi'
import { statSync } from 'node:fs'

/** Smaller ones are not worth asking the system for. */
const LEAST_BYTES = 1024 * 1024
/** `MADV_DONTNEED`. Source: Linux's `asm-generic/mman-common.h`. */
const DONT_NEED = 4

/** The index of half a million objects is read again in a millisecond. */
const RELEASE_MS = 1000
let releasing: Timer | undefined

/** This thread's maps that are in use somewhere, by what the system knows the file by: it gives that to no other file while a map is there. */
const maps = new Map<string, WeakRef<Uint8Array>>()

/**
 * A file as memory that is read where it is touched, one map for all of this thread; nothing is written to the file through it. It must be replaced
 * rather than changed. @throws as `open` does; and where Bun cannot map files
 */
export function mapFile(path: string): Uint8Array {
  const { dev, ino, size, mtimeMs } = statSync(path)
  const key = `${dev}:${ino}:${size}:${mtimeMs}`
  const known = maps.get(key)?.deref()
  if (known) return known
  const bytes = Bun.mmap(path, { shared: false })
  if (bytes.length >= LEAST_BYTES && bytes.length === size) maps.set(key, new WeakRef(bytes))
  return bytes
}

/**
 * Gives back the memory that this thread's maps were read into, a moment from now. They stay valid, and are read again where they are touched. By itself
 * a map ends when it is collected, and until then a large index counts for this process as often as threads went through it.
 */
export function releaseMapsSoon(): void {
  if (maps.size === 0) return
  releasing ??= setTimeout(releaseMaps, RELEASE_MS)
  releasing.unref()
}

function releaseMaps(): void {
  releasing = undefined
  for (const [key, reference] of maps) {
    const bytes = reference.deref()
    if (bytes === undefined) maps.delete(key)
    else findSystem()?.madvise(ptr(bytes), bytes.length, DONT_NEED)
  }
}

function openSystem() {
  const { pointer, u64, i32 } = FFIType
  return dlopen('libc.so.6', { madvise: { args: [pointer, u64, i32], returns: i32 } }).symbols
}

let library: ReturnType<typeof openSystem> | undefined
let isMissing = process.platform !== 'linux'

/** Undefined where there is none: pages stay then until the system wants them. */
function findSystem(): typeof library {
  if (library || isMissing) return library
  try {
    library = openSystem()
  } catch {
    isMissing = true
  }
  return library
}
