/**
 * Asks on demand whether tests show what they claim: for each promise, the code that its tests alone execute is changed
 * in small ways, and its tests have to notice. See CONTRIBUTING.md.
 */
@NullMarked
package dev.kopf4j.checklist.audit;

import org.jspecify.annotations.NullMarked;
