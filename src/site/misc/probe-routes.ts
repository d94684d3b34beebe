import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { JSON_TYPE } from '#kernel/http.ts'
import { apiVersion } from '#version.ts'

const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }
const hidden = { detail: { hide: true } }

/**
 * What programs ask before they know anything: whether the server is well (draft-inadarei-api-health-check, at Gitea's path),
 * and whether it is a Forgejo. Answered to everyone, signing in required or not.
 */
export function probes(context: Pick<Context, 'db' | 'clock' | 'log'>) {
  return new Elysia({ name: 'probes' })
    .get('/api/healthz', () => checkHealth(context), hidden)
    .get('/api/forgejo/v1/version', () => Response.json({ version: apiVersion }, { headers }), hidden)
}

function checkHealth({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): Response {
  const time = new Date(clock.millis()).toISOString()
  try {
    db.find('SELECT 1')
  } catch (error) {
    log.error('health check failed: the database does not respond', error)
    return Response.json({ status: 'fail', checks: { 'database:ping': [{ status: 'fail', time }] } }, { status: 503, headers })
  }
  return Response.json({ status: 'pass', description: 'Pocketforge', checks: { 'database:ping': [{ status: 'pass', time }] } }, { headers })
}
