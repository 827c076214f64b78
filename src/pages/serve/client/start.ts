import { byId, element } from '../../trace/client/folding.ts';
import type { StartChoices, StartCommand, Started, StartField, StartRequest } from '../launcher.ts';
import { change, messageOf } from './changes.ts';

/** Groups of fields that are expanded when the form opens. All other groups are collapsed. */
const OPEN = ['Period', 'Costs', 'Sweep'];
/** Milliseconds without typing after which the server checks the form. */
const PAUSE = 150;

/**
 * Function that opens the form. The form is empty, or filled with the inputs of a run to start a similar run
 * or a sweep.
 */
export type OpenForm = (from?: { readonly runId: string; readonly command: StartRequest['command'] }) => void;

/**
 * Connects the form for new runs. The server derives the fields of the form from schemas, and returns the
 * command that the form shows.
 *
 * @param onStarted called with the folder of a started run or sweep
 */
export function startForm(token: string | undefined, onStarted: (started: Started) => void): OpenForm {
  const dialog = byId('start-dialog', HTMLDialogElement);
  const command = byId('start-command', HTMLSelectElement);
  const strategy = byId('start-strategy', HTMLSelectElement);
  const data = byId('start-data', HTMLSelectElement);
  const parameters = byId('start-parameters', HTMLFieldSetElement);
  const settings = byId('start-fields', HTMLElement);
  const problem = byId('start-problem', HTMLElement);
  const line = byId('start-line', HTMLElement);
  const start = byId('start-yes', HTMLButtonElement);
  let timer: number | undefined;
  /** Number of the newest check. The result of an older check is ignored. */
  let asked = 0;
  /** Number of times that the form was opened. A late response to an earlier form is ignored. */
  let openings = 0;
  let isStarting = false;

  const post = (path: string, body: unknown): Promise<unknown> =>
    change(token, 'POST', `/api/start${path}`, body);
  const request = (): StartRequest => ({
    command: command.value === 'sweep' ? 'sweep' : 'run',
    strategy: strategy.value,
    data: [...data.selectedOptions].map(({ value }) => value),
    values: valuesIn(settings),
    parameters: valuesIn(parameters),
  });
  const check = async (): Promise<void> => {
    asked += 1;
    const turn = asked;
    // A check must not enable the button while the run starts.
    if (isStarting) return;
    if (strategy.value === '' || data.selectedOptions.length === 0) {
      line.textContent = '';
      problem.textContent = strategy.value === '' ? 'Choose a strategy.' : 'Choose data.';
      start.disabled = true;
      return;
    }
    try {
      const found = (await post('/check', request())) as StartCommand;
      if (turn !== asked) return;
      line.textContent = found.command;
      problem.textContent = found.problem;
      start.disabled = found.problem !== '';
    } catch (error) {
      if (turn === asked) problem.textContent = messageOf(error);
    }
  };
  const showKind = (): void => {
    const isSweep = command.value === 'sweep';
    for (const one of settings.querySelectorAll<HTMLElement>('[data-sweep]')) one.hidden = !isSweep;
    byId('start-space', HTMLElement).hidden = !isSweep;
    byId('start-title', HTMLElement).textContent = isSweep ? 'New sweep' : 'New run';
    for (const one of parameters.querySelectorAll<HTMLInputElement>('input[data-number]'))
      one.type = isSweep ? 'text' : 'number';
  };
  const loadParameters = async (values: Readonly<Record<string, string>> = {}): Promise<void> => {
    const chosen = strategy.value;
    const opening = openings;
    const isLate = (): boolean => opening !== openings || strategy.value !== chosen;
    const grid = parameters.querySelector('.start-grid');
    grid?.replaceChildren();
    parameters.hidden = true;
    if (chosen === '') return check();
    problem.textContent = 'Loading the parameters of the strategy…';
    try {
      const fields = (await post('/parameters', chosen)) as StartField[];
      if (isLate()) return;
      parameters.hidden = fields.length === 0;
      grid?.replaceChildren(...fields.map((field) => fieldElement(field, values[field.name] ?? '')));
      showKind();
      await check();
    } catch (error) {
      if (isLate()) return;
      problem.textContent = messageOf(error);
      start.disabled = true;
    }
  };

  dialog.addEventListener('input', (event) => {
    if (event.target === strategy) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void check(), PAUSE);
  });
  command.addEventListener('change', showKind);
  strategy.addEventListener('change', () => void loadParameters());
  byId('start-no', HTMLButtonElement).addEventListener('click', () => dialog.close());
  byId('start-copy', HTMLButtonElement).addEventListener('click', () => {
    const selection = getSelection();
    navigator.clipboard.writeText(line.textContent ?? '').catch(() => selection?.selectAllChildren(line));
  });
  byId('start-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    if (start.disabled) return;
    // Disabled until the run has started, so that a second click does not start a second run.
    start.disabled = true;
    isStarting = true;
    asked += 1;
    problem.textContent = 'Starting…';
    const opening = openings;
    post('', request())
      .then((started) => {
        if (opening === openings) dialog.close();
        onStarted(started as Started);
      })
      .catch((error: unknown) => {
        if (opening !== openings) return;
        isStarting = false;
        problem.textContent = messageOf(error);
        start.disabled = false;
      });
  });

  return (from) => {
    problem.textContent = '';
    line.textContent = '';
    start.disabled = true;
    isStarting = false;
    clearTimeout(timer);
    asked += 1;
    openings += 1;
    const opening = openings;
    command.value = from?.command ?? 'run';
    dialog.showModal();
    const before =
      from === undefined
        ? undefined
        : (change(
            token,
            'GET',
            `/api/runs/${encodeURIComponent(from.runId)}/request`,
          ) as Promise<StartRequest>);
    Promise.all([change(token, 'GET', '/api/start') as Promise<StartChoices>, before])
      .then(async ([choices, given]) => {
        if (opening !== openings) return;
        strategy.replaceChildren(
          option('', 'Choose a strategy'),
          ...choices.strategies.map((one) => option(one)),
        );
        strategy.value = given?.strategy ?? '';
        data.replaceChildren(...choices.data.map((one) => option(one)));
        for (const one of data.options)
          one.selected = given?.data.includes(one.value) ?? choices.data.length === 1;
        settings.replaceChildren(...groupsOf(choices.fields, given?.values ?? {}));
        showKind();
        await loadParameters(given?.parameters);
      })
      .catch((error: unknown) => {
        if (opening === openings) problem.textContent = messageOf(error);
      });
  };
}

function option(value: string, text = value): HTMLOptionElement {
  return element('option', { value }, text);
}

function groupsOf(fields: readonly StartField[], values: Readonly<Record<string, string>>): HTMLElement[] {
  const names = [...new Set(fields.map(({ group }) => group))];
  return names
    .toSorted((one, other) => Number(!OPEN.includes(one)) - Number(!OPEN.includes(other)))
    .map((name) => {
      const own = fields.filter(({ group }) => group === name);
      const grid = element(
        'div',
        { class: 'columns start-grid' },
        own.map((field) => fieldElement(field, values[field.name] ?? '')),
      );
      const sweep = own.every(({ isOfSweeps }) => isOfSweeps === true) ? { 'data-sweep': '' } : {};
      if (OPEN.includes(name)) return element('fieldset', sweep, element('legend', {}, name), grid);
      const isOpen = own.some((field) => (values[field.name] ?? '') !== '');
      return element('details', isOpen ? { open: '' } : {}, element('summary', {}, name), grid);
    });
}

function fieldElement(field: StartField, value: string): HTMLElement {
  const { name, label, help, kind, min, max, isWhole, initial } = field;
  const common = { 'data-name': name, title: help };
  let input: HTMLElement;
  if (kind === 'switch') {
    input = element('input', { ...common, type: 'checkbox', checked: value === 'true' });
    return element('label', { class: 'switch' }, input, ' ', label, element('small', {}, help));
  }
  if (kind === 'choice') {
    input = element(
      'select',
      common,
      option('', initial === '' ? 'default' : `default (${initial})`),
      (field.choices ?? []).map((one) => option(one)),
    );
    (input as HTMLSelectElement).value = value;
  } else {
    input = element('input', {
      ...common,
      type: kind,
      placeholder: initial,
      autocomplete: 'off',
      ...(kind === 'number' ? { 'data-number': '', step: isWhole === true ? '1' : 'any' } : {}),
      ...(min === undefined ? {} : { min: String(min) }),
      ...(max === undefined ? {} : { max: String(max) }),
    });
    (input as HTMLInputElement).value = value;
  }
  return element('label', {}, label, ' ', input, help === '' ? null : element('small', {}, help));
}

/** Returns the values of the filled fields inside an element, by field name. Hidden fields are omitted. */
function valuesIn(holder: HTMLElement): Record<string, string> {
  const inputs = holder.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-name]');
  return Object.fromEntries(
    [...inputs].flatMap((input) => {
      if (input.closest('[hidden]') !== null) return [];
      const isSwitch = input instanceof HTMLInputElement && input.type === 'checkbox';
      const value = isSwitch ? (input.checked ? 'true' : '') : input.value.trim();
      return value === '' ? [] : [[input.dataset.name ?? '', value]];
    }),
  );
}
