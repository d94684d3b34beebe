import type { Slice } from '#kernel/slice.ts'
import accessTokens from './1_access_tokens.sql' with { type: 'text' }
import sessions from './2_sessions.sql' with { type: 'text' }
import tokenRepositories from './3_token_repositories.sql' with { type: 'text' }
import sessionEnds from './4_session_ends.sql' with { type: 'text' }

export const slice: Slice<unknown> = {
  name: 'access',
  migrations: [
    { name: '1_access_tokens', sql: accessTokens, formerly: ['0003_access'] },
    { name: '2_sessions', sql: sessions },
    { name: '3_token_repositories', sql: tokenRepositories },
    { name: '4_session_ends', sql: sessionEnds },
  ],
}
