import { describe, expect, test } from 'vitest';
import { actFor } from '../../../test/sign-in.ts';
import { ask, signIn, testing } from './test-second-factors.ts';

describe('name, language and time zone', () => {
  test('are changed by their owner, with all faults reported together', async () => {
    const tokens = await signIn();
    const changed = await ask(tokens, 'PATCH', '', {
      middleName: ' Q. ',
      languageCode: 'es',
      timeZone: 'America/Chicago',
    });
    expect(changed.json()).toMatchObject({
      firstName: 'Erin',
      middleName: 'Q.',
      languageCode: 'es',
      timeZone: 'America/Chicago',
    });
    expect((await actFor(testing, tokens)).init.user).toMatchObject({ middleName: 'Q.', languageCode: 'es' });
    expect((await ask(tokens, 'PATCH', '', { middleName: '' })).json().middleName).toBe('');
    const refused = await ask(tokens, 'PATCH', '', {
      firstName: ' ',
      languageCode: 'xx',
      timeZone: 'Mars/Base',
    });
    expect(refused.statusCode).toBe(422);
    expect(
      refused
        .json()
        .faults.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['firstName', 'languageCode', 'timeZone']);
    expect((await ask(tokens, 'PATCH', '', { username: 'x' })).statusCode).toBe(400);
    // [P8] Characters that reverse the text next to them, or begin a line, are not part of a name.
    const unseen = await ask(tokens, 'PATCH', '', { firstName: 'Erin\u202e', lastName: 'Castel\nlanos' });
    expect([unseen.statusCode, unseen.json().faults]).toMatchObject([
      422,
      [
        { path: 'firstName', code: 'unseen-character' },
        { path: 'lastName', code: 'unseen-character' },
      ],
    ]);
  });
});
