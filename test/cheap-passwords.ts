/** Hashing a password the way the product does takes a core for sixty milliseconds, which is its purpose; tests make hundreds of accounts. */
export const hashAtFullCost = Bun.password.hash

Bun.password.hash = (password) => hashAtFullCost(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
