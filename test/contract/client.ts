import { type Api, giteaApi } from 'gitea-js'

/** gitea-js, asking `origin`: with a token, or as whoever `authorization` names, since gitea-js itself knows tokens only. */
export function client(origin: string, credentials: { token?: string; authorization?: string }): Api<unknown> {
  const { token, authorization } = credentials
  return giteaApi(origin, { token, customFetch: authorization === undefined ? fetch : signedFetch(authorization) })
}

function signedFetch(authorization: string): typeof fetch {
  const signed = (input: string | URL | Request, init: RequestInit = {}) =>
    fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), Authorization: authorization } })
  return Object.assign(signed, { preconnect: fetch.preconnect })
}

/** The status of an answer that may be an error: gitea-js throws those. */
export async function statusOf(call: Promise<{ status: number }>): Promise<number> {
  return call.then(
    ({ status }) => status,
    ({ status }: { status: number }) => status,
  )
}
