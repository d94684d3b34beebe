import { storeContract } from './contract.ts'
import { MemoryStore } from './memory.ts'

storeContract('a store in memory', (limits) => Object.assign(new MemoryStore({ limits }), { [Symbol.dispose]() {} }))
