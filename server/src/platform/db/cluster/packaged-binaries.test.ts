import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { describe, expect, it, test } from 'vitest';
import { databaseAccount, makeAccount } from './packaged-binaries.ts';

const before = 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/nonexistent:/usr/sbin/nologin\n';
const after = `${before}caseway:x:997:996::/nonexistent:/usr/sbin/nologin\n`;

/** The chosen account and the message if the machine has these accounts and creating one has this outcome. */
function chosen(passwd: string, made: { ok: boolean; leaves: string }) {
  let now = passwd;
  const said: string[] = [];
  let asked = 0;
  const log = {
    info: (_: object, text: string) => said.push(`info: ${text}`),
    warn: (text: string) => said.push(`warn: ${text}`),
  } as unknown as Logger;
  const account = databaseAccount(log, {
    read: () => now,
    make() {
      asked += 1;
      now = made.leaves;
      return made.ok;
    },
  });
  return { account, said, asked };
}

describe('the account of a database that root starts [S10.1]', () => {
  it('is a separate one, created if there is none', () => {
    expect(chosen(before, { ok: true, leaves: after })).toEqual({
      account: { uid: 997, gid: 996 },
      said: ['info: made an account for the database'],
      asked: 1,
    });
  });

  it('is not created again if it exists', () => {
    expect(chosen(after, { ok: true, leaves: after })).toEqual({
      account: { uid: 997, gid: 996 },
      said: [],
      asked: 0,
    });
  });

  it('may have been created by another start at the same moment, which is not a fault', () => {
    expect(chosen(before, { ok: false, leaves: after })).toEqual({
      account: { uid: 997, gid: 996 },
      said: [],
      asked: 1,
    });
  });

  it('is nobody if none can be created, and the operator reads what to do about it', () => {
    const { account, said } = chosen(before, { ok: false, leaves: before });
    expect(account).toEqual({ uid: 65534, gid: 65534 });
    expect(said).toEqual([
      'warn: PostgreSQL runs as nobody, whose other programs can read its files. Make an account named caseway, or start Caseway as an ordinary user.',
    ]);
  });
});

test.runIf(process.getuid?.() === 0 && existsSync('/usr/sbin/useradd'))(
  'the created account has no home, and nobody can sign in to it [S10.1]',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'caseway-accounts-'));
    try {
      await mkdir(join(root, 'etc'));
      await writeFile(join(root, 'etc/passwd'), before);
      await writeFile(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
      expect(makeAccount(root)).toBe(true);
      const passwd = await readFile(join(root, 'etc/passwd'), 'utf8');
      expect(passwd).toMatch(/^caseway:[^:]*:\d+:\d+:[^:]*:\/nonexistent:\/usr\/sbin\/nologin$/m);
      expect(existsSync(join(root, 'nonexistent'))).toBe(false);
      // The second time there is nothing to create.
      expect(makeAccount(root)).toBe(false);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
