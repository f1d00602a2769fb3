/** What runs in the operator's process. */
@NullMarked
package dev.kopf4j.e2e.endurance.operator;

import org.jspecify.annotations.NullMarked;
