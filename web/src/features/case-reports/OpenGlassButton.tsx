import Button from '@mui/material/Button';
import { ShieldAlert } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { part, useAhead } from '../../loading/part.tsx';
import { useMay } from '../../session/permissions.ts';

const loadDialog = () => import('./OpenGlass.tsx');
const OpenGlass = part('open-glass', loadDialog);

/**
 * Opens a hidden record by its number, for a reason. Everyone with permission gets the button, whether or not
 * anything is hidden, so that it reveals nothing. [P18]
 */
export function OpenGlassButton({ onOpened }: { onOpened?: () => void }) {
  const { t } = useTranslation('break-glass');
  const may = useMay();
  const [asking, setAsking] = useState(false);
  useAhead(loadDialog);
  if (!may('break-glass/write')) return null;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<ShieldAlert size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('open.button')}
      </Button>
      {asking ? (
        <Suspense fallback={null}>
          <OpenGlass onClose={() => setAsking(false)} {...(onOpened ? { onOpened } : {})} />
        </Suspense>
      ) : null}
    </>
  );
}
