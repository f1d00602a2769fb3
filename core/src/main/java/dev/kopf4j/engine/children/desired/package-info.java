/**
 * The children that ought to exist: from what handlers give to the configurations that are applied. Pure, apart from
 * the handlers' own tests.
 */
package dev.kopf4j.engine.children.desired;
