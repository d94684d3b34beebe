import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { messageOf } from '#kernel/errors.ts'
import { parseHostList } from '#outbound/network/index.ts'
import { setExternalAvatar } from '#people/avatars/index.ts'
import type { ExternalIdentity } from './protocol.ts'
import { Providers } from './providers.ts'
import type { OAuthSource } from './recognise.ts'

const SECONDS = 10
const REDIRECTS = 3

/**
 * Gives the account the picture that its person has at the source. Its address is the person's to choose, so it leads to the world or to the
 * source's own hosts; what does not work out is left, and the sign-in does not wait for it.
 */
export async function followPicture(context: Context, source: OAuthSource, identity: ExternalIdentity, user: UserRow): Promise<void> {
  if (!context.config.oauth2_client.UPDATE_AVATAR || identity.picture === '') return
  try {
    const image = await fetchPicture(context, source, identity.picture)
    await setExternalAvatar(context, { table: 'user', id: user.id }, image)
  } catch (error) {
    context.log.warn(`cannot update the avatar of user ${user.name} from their OAuth2 provider`, { source: source.name, reason: messageOf(error) })
  }
}

async function fetchPicture(context: Pick<Context, 'config' | 'services'>, source: OAuthSource, address: string): Promise<Uint8Array> {
  const providers = context.services.get(Providers)
  const world = parseHostList(['external'])
  const policy = (url: URL) => (providers.isOfSource(source, url) ? providers.policyOf(source)(url) : world)
  const maxBytes = context.config.picture.AVATAR_MAX_FILE_SIZE
  const isOwn = URL.canParse(address) && providers.isOfSource(source, new URL(address))
  const authorities = isOwn ? source.config.tls_ca : ''
  const { status, bytes } = await providers.client.request(address, { policy, seconds: SECONDS, maxBytes, redirects: REDIRECTS, authorities })
  if (status !== 200) throw new Error(`The server responded with status ${status}`)
  return bytes
}
