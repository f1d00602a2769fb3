/**
 * Decides what each parameter of a handler method gets, once and at the start, and fills the parameters at each call. A
 * parameter that nothing fits is an error at the start that names what is possible, never a null later.
 *
 * <p>The package has more than twenty classes because each kind of parameter has one of its own; in a package of their
 * own they would be public.
 */
package dev.kopf4j.engine.injection;
