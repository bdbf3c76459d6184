import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { signedOut, tokensReceived, userReady } from '../session/authentication.ts';
import { hasDrafts } from '../session/drafts.ts';
import { store } from '../session/store.ts';
import { leavesUnsaved } from '../session/unsaved.ts';
import { accessToken, initAnswer, refreshToken } from '../test/server.ts';
import { useKeptForm } from './use-kept-form.ts';

const schema = z.strictObject({ kind: z.string(), reason: z.string().min(1) });
const begin = (isSent = false) =>
  renderHook((sent: boolean) => useKeptForm(schema, 'decision/1', { kind: 'call', reason: '' }, sent), {
    initialProps: isSent,
  });
type Kept = ReturnType<typeof begin>['result'];
const type = (kept: Kept, reason: string) =>
  act(() => kept.current.form.setValue('reason', reason, { shouldDirty: true }));

beforeEach(() => {
  store.dispatch(tokensReceived({ accessToken: accessToken(), refreshToken: refreshToken() }));
  store.dispatch(userReady(initAnswer()));
});
afterEach(() => {
  store.dispatch(signedOut());
  sessionStorage.clear();
});

describe('a form that is sent once', () => {
  test('keeps a draft over a reload, says so, and asks before it is left', () => {
    const first = begin();
    expect(leavesUnsaved('screen')).toBe(false);
    type(first.result, 'The caller knew the file.');
    expect(leavesUnsaved('screen')).toBe(true);
    expect(first.result.current.restored).toBe(false);
    first.unmount();
    const again = begin();
    expect(again.result.current.form.getValues()).toEqual({
      kind: 'call',
      reason: 'The caller knew the file.',
    });
    expect(again.result.current.restored).toBe(true);
    expect(leavesUnsaved('screen')).toBe(true);
  });

  test('starts over, and then keeps nothing', () => {
    const first = begin();
    type(first.result, 'Wrong person');
    first.unmount();
    const again = begin();
    act(() => again.result.current.discard());
    expect(again.result.current.form.getValues().reason).toBe('');
    expect(hasDrafts()).toBe(false);
  });

  test.each([
    ['it is told so', (kept: Kept) => act(() => kept.current.forget()), false],
    ['it is drawn once more', () => undefined, true],
  ] as const)('forgets what is sent: %s', (_, end, isDrawn) => {
    const first = begin();
    type(first.result, 'Sent');
    if (isDrawn) first.rerender(true);
    end(first.result);
    first.unmount();
    expect(begin().result.current.form.getValues().reason).toBe('');
  });
});

/** Forms with a schema but no draft, and why. */
const withoutDraft: Readonly<Record<string, string>> = {
  'dashboard/PresetForms.tsx': 'a name and a choice',
  'ui/grid/ViewDialog.tsx': 'a name and a choice',
  'features/recovery/RecoverAccount.tsx': 'nobody is signed in, so nobody owns a draft',
  'features/recovery/CodeForm.tsx': 'one field, a code that is soon too old',
  'features/field-visits/AttemptForm.tsx':
    'who shows it keeps what is typed, on the device without a network',
  'features/portal/Guardians.tsx': 'whom somebody has checked is chosen again by whoever checks',
  'features/portal/OwnFollowUp.tsx': 'patients are in no draft: their devices are shared',
  'features/portal/OwnReactions.tsx': 'patients are in no draft: their devices are shared',
};

test('every form with a schema keeps a draft, or is listed here with the reason', () => {
  const src = path.join(import.meta.dirname, '..');
  const plain = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => /\buseSchemaForm[<(]/.test(readFileSync(path.join(src, file), 'utf8')))
    .filter(
      (file) => !['ui/Form.tsx', 'record/use-record-form.ts', 'record/use-kept-form.ts'].includes(file),
    );
  expect(plain.sort()).toEqual(Object.keys(withoutDraft).sort());
});
