import { notify } from '../session/notify.ts';
import { AppError } from './transport.ts';

/**
 * Does what takes a change back, and says that it is done, or in the words of the refusal why it is not.
 * @param message key of the words for "done"
 */
export async function takeBack(
  undo: () => Promise<unknown>,
  message: string,
  values: Record<string, string | number> = {},
): Promise<void> {
  try {
    await undo();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notify('error', `error.${error.code}`);
    return;
  }
  notify('info', message, { values });
}
