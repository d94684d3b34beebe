import { list, type Setting, setting } from '#kernel/settings.ts'
import { WireReader } from '#kernel/ssh-wire.ts'

/** Public keys as OpenSSH writes them. */
export function sshKeys(doc: string): Setting<readonly string[]> {
  const { fallback, read } = list([], doc)
  return setting(fallback, doc, (value) => {
    const lines = read(value)
    for (const line of lines) {
      const [type, base64 = ''] = line.split(/\s+/)
      if (type?.includes('-cert-') || new WireReader(Buffer.from(base64, 'base64')).text() !== type)
        throw new Error('expected public keys, each of the form "type base64"')
    }
    return lines
  })
}
