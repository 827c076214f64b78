/** Theme of the site: VitePress's own, with corrections for keyboards, screen readers and contrast. */

import { useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { nextTick, onMounted, watch } from 'vue';
import './style.css';

/** Corrects controls of VitePress 1.6.4 that axe reports. */
function correctControls(): void {
  // A group is opened by its own button. Its heading must not be a second button around it.
  for (const heading of document.querySelectorAll('.VPSidebarItem.collapsible > .item[role="button"]'))
    for (const name of ['role', 'tabindex']) heading.removeAttribute(name);
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    onMounted(() => {
      correctControls();
      watch(
        () => route.path,
        () => nextTick(correctControls),
      );
    });
  },
};
