/** The steps that built-in kinds name in their data: defaults, derived values and checks. */
package dev.kopf4j.devcluster.kind.builtin;
