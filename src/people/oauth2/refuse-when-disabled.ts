import type { Context } from '#context.ts'
import { Forbidden } from '#kernel/errors.ts'

/** @throws Forbidden where the settings say that no applications are let in */
export function refuseWhenDisabled({ config }: Pick<Context, 'config'>): void {
  if (!config.oauth2.ENABLED) throw new Forbidden('OAuth2 applications are disabled on this server.')
}
