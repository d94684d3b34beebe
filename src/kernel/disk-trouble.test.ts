import { describe, expect, test } from 'bun:test'
import { Database } from './db.ts'
import { type DiskTrouble, DiskWatch, diskProblem, diskTroubleOf } from './disk-trouble.ts'

const failing = (fields: Record<string, string>, cause?: unknown) => Object.assign(new Error('failed', { cause }), fields)

const rows: [name: string, error: unknown, trouble: DiskTrouble | undefined][] = [
  ['a full disk', failing({ code: 'ENOSPC', syscall: 'write' }), 'full'],
  ['a quota that is used up', failing({ code: 'EDQUOT' }), 'full'],
  ['a full disk under the database', failing({ code: 'SQLITE_FULL' }), 'full'],
  ['a disk without room for what is shared of the database', failing({ code: 'SQLITE_IOERR_SHMSIZE' }), 'full'],
  ['a file system that can only be read', failing({ code: 'EROFS', syscall: 'open' }), 'read-only'],
  ['the same under the database', failing({ code: 'SQLITE_READONLY_DBMOVED' }), 'read-only'],
  ['a sync that failed, for whatever reason', failing({ code: 'ENOSPC', syscall: 'fsync' }), 'lost'],
  ['a sync of data alone', failing({ code: 'EIO', syscall: 'fdatasync' }), 'lost'],
  ['a sync of the database', failing({ code: 'SQLITE_IOERR_FSYNC' }), 'lost'],
  ['a disk that refuses to read or to rename', failing({ code: 'EIO', syscall: 'rename' }), 'failing'],
  ['a file that may grow no more', failing({ code: 'EFBIG' }), 'full'],
  ['the same under the database', failing({ code: 'SQLITE_CANTOPEN' }), 'failing'],
  ['a write of the database, over a quota perhaps', failing({ code: 'SQLITE_IOERR_WRITE' }), 'failing'],
  ['a file system that locks nothing', failing({ code: 'ENOLCK', syscall: 'fcntl' }), 'failing'],
  ['the same under the database', failing({ code: 'SQLITE_PROTOCOL' }), 'failing'],
  ['pages of the database that are not what was written', failing({ code: 'SQLITE_CORRUPT_VTAB' }), 'damaged'],
  ['no file descriptors left', failing({ code: 'EMFILE', syscall: 'open' }), 'crowded'],
  ['none left in the whole system', failing({ code: 'ENFILE', syscall: 'open' }), 'crowded'],
  ["files of another account's", failing({ code: 'EACCES', syscall: 'open' }), 'forbidden'],
  ['a directory of it', failing({ code: 'EPERM', syscall: 'mkdir' }), 'forbidden'],
  ['a connection that is not allowed', failing({ code: 'EACCES', syscall: 'connect' }), undefined],
  ['a program that may not be run', failing({ code: 'EACCES', syscall: 'spawn /usr/sbin/sendmail' }), undefined],
  ['a share of a network that has forgotten the file', failing({ code: 'ESTALE', syscall: 'read' }), 'failing'],
  ['what another error was caused by', failing({}, failing({ code: 'ENOSPC' })), 'full'],
  ['what was met while another error was cleared up', new SuppressedError(failing({ code: 'EROFS' }), new Error('refused')), 'read-only'],
  ['what was cleared up in vain', new SuppressedError(new Error('closed'), failing({ code: 'EDQUOT' })), 'full'],
  ['a file that is not there', failing({ code: 'ENOENT', syscall: 'open' }), undefined],
  ['anything else', new Error('nothing of the kind'), undefined],
  ['no error at all', undefined, undefined],
]

test.each(rows)('%s', (_, error, trouble) => {
  expect(diskTroubleOf(error)).toBe(trouble)
  expect(diskProblem(error)?.status).toBe(trouble && 503)
})

describe('once the disk has lost something', () => {
  test('nothing is written any more, where a file that belongs to a change could not be made durable, whatever becomes of the failure', () => {
    const db = new Database(':memory:')
    const disk = new DiskWatch()
    db.listener = { effectFailed: () => {}, writeFailed: (error) => disk.report(error), beforeWrite: () => disk.refuseWriting() }
    const fail = (fields: Record<string, string>) => () => {
      throw failing(fields)
    }
    expect(() => db.tx(fail({ code: 'ENOSPC', syscall: 'write' }))).toThrow('failed')
    expect(disk.isLost).toBe(false)
    expect(() => db.tx(fail({ code: 'EIO', syscall: 'fsync' }))).toThrow('failed')
    expect(() => db.tx(() => {})).toThrow(/disk failed/)
  })

  test('nothing is written any more, and reading goes on', async () => {
    const db = new Database(':memory:')
    const disk = new DiskWatch()
    db.listener = { effectFailed: () => {}, writeFailed: (error) => disk.report(error), beforeWrite: () => disk.refuseWriting() }
    db.tx((tx) => tx.run('CREATE TABLE note (text TEXT) STRICT'))
    disk.report(failing({ code: 'ENOSPC' }))
    db.tx((tx) => tx.insert('note', { text: 'still taken' }))
    disk.report(failing({ code: 'EIO', syscall: 'fsync' }))
    expect(() => db.tx((tx) => tx.insert('note', { text: 'too late' }))).toThrow(/disk failed/)
    expect(db.all('SELECT text FROM note')).toEqual([{ text: 'still taken' }])
    expect((await disk.lost).message).toBe('failed')
  })
})

test.each<[outcome: string, error: Error, mayBeStored: boolean, words: string]>([
  ['nothing was', failing({ code: 'ENOSPC' }), false, 'no changes were saved'],
  ['some of it may be', failing({ code: 'EIO', syscall: 'open' }), true, 'may have been saved'],
  ['nobody can tell after a failed sync', failing({ code: 'EIO', syscall: 'fsync' }), false, 'only known after a restart'],
])('who asked is told what is stored: %s', (_, error, mayBeStored, words) => {
  expect(diskProblem(error, mayBeStored)?.message).toContain(words)
})
