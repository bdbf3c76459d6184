import { betaFeatures, type Feature, features } from '@caseway/contract/permission';
import type { SwitchedPlace } from '@caseway/contract/settings';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { BetaTag } from '../../ui/BetaTag.tsx';
import { type Edit, editOf, isOn, type State, stateKey, stateOf, statesOf } from './feature-edits.ts';

const codeOf = (state: State) => (state === null ? 'tenant' : state ? 'on' : 'off');
const stateFrom = (code: string): State => (code === 'tenant' ? null : code === 'on');

/** Features by place: the whole tenant in the first row, then the places found. */
export function FeatureTable({
  on,
  onTenant,
  places,
  edits,
  onEdit,
}: {
  /** The setting of the whole tenant. */
  on: readonly Feature[];
  onTenant: (on: readonly Feature[]) => void;
  places: readonly SwitchedPlace[];
  edits: readonly Edit[];
  onEdit: (edit: Edit) => void;
}) {
  const { t } = useTranslation('settings');
  const whole = t('features.tenant');
  return (
    <TableContainer
      role="region"
      aria-label={t('features.table')}
      tabIndex={0}
      sx={{
        '& th:first-of-type': { position: 'sticky', left: 0, zIndex: 1, backgroundColor: 'surface' },
        // Keeps the column of names and the buttons below from covering the focused element.
        '& select, & input': { scrollMarginBottom: 96, scrollMarginLeft: 240 },
      }}
    >
      <Table size="small">
        <TableHead>
          <TableRow sx={{ verticalAlign: 'bottom' }}>
            <TableCell component="th" scope="col">
              {t('features.place')}
            </TableCell>
            {features.map((feature) => (
              <TableCell key={feature} sx={{ minWidth: 180 }}>
                {t(`feature.${feature}`)}
                {betaFeatures.includes(feature) ? <BetaTag /> : null}
                <Typography
                  variant="caption"
                  component="div"
                  sx={{ color: 'text.secondary', fontWeight: 400 }}
                >
                  {t(`featureText.${feature}`)}
                </Typography>
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          <TableRow>
            <TableCell component="th" scope="row" sx={{ fontWeight: 650 }}>
              {whole}
            </TableCell>
            {features.map((feature) => (
              <TableCell key={feature}>
                <Checkbox
                  checked={on.includes(feature)}
                  onChange={({ target }) =>
                    onTenant(features.filter((one) => (one === feature ? target.checked : on.includes(one))))
                  }
                  slotProps={{
                    input: {
                      'aria-label': t('features.cell', { feature: t(`feature.${feature}`), place: whole }),
                    },
                  }}
                  sx={{ marginLeft: -2 }}
                />
              </TableCell>
            ))}
          </TableRow>
          {places.map((place) => (
            <TableRow key={`${place.orgType} ${place.id}`}>
              <TableCell component="th" scope="row" sx={{ minWidth: { xs: 140, sm: 220 } }}>
                <Box sx={{ overflowWrap: 'anywhere' }}>{place.name}</Box>
                <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                  {[
                    t(`common:org.type.${place.orgType}`),
                    place.managedBy && t('features.managedBy', { tenant: place.managedBy }),
                    place.inactive && t('features.inactive'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Typography>
              </TableCell>
              {features.map((feature) => (
                <TableCell key={feature}>
                  <Switch
                    label={t('features.cell', { feature: t(`feature.${feature}`), place: place.name })}
                    feature={feature}
                    on={on}
                    state={stateOf(edits, place, feature)}
                    isEdited={editOf(edits, place, feature) !== undefined}
                    onChange={(after) =>
                      onEdit({
                        orgType: place.orgType,
                        orgId: place.id,
                        place: place.name,
                        feature,
                        before: place.own[feature] ?? null,
                        after,
                      })
                    }
                  />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function Switch({
  label,
  feature,
  on,
  state,
  isEdited,
  onChange,
}: {
  label: string;
  feature: Feature;
  on: readonly Feature[];
  state: State;
  isEdited: boolean;
  onChange: (state: State) => void;
}) {
  const { t } = useTranslation('settings');
  const tenantOn = on.includes(feature);
  const offered = statesOf(feature, tenantOn);
  // If it is off for the whole tenant, it stays off here when the tenant switches it on again.
  const states = offered.includes(state) ? offered : [...offered, state];
  return (
    <NativeSelect
      value={codeOf(state)}
      disabled={states.length === 1}
      onChange={({ target }) => onChange(stateFrom(target.value))}
      input={<OutlinedInput size="small" fullWidth />}
      inputProps={{ 'aria-label': label }}
      sx={{
        fontWeight: state === null ? 400 : 600,
        color: isOn(feature, on, state) ? 'text.primary' : 'text.secondary',
        ...(isEdited ? { backgroundColor: 'tint' } : {}),
      }}
    >
      {states.map((one) => (
        <option key={codeOf(one)} value={codeOf(one)}>
          {t(`features.${stateKey(one, tenantOn)}`)}
        </option>
      ))}
    </NativeSelect>
  );
}
