import { notify } from '../session/notify.ts';
import { AppError } from './transport.ts';

/**
 * Undoes a change, and says that it is done, or why it was refused.
 * @param message key of the text for "done"
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
