/**
 * Decides what each parameter of a handler method gets, once and at the start, and fills the parameters at each call. A
 * parameter that nothing fits is an error at the start that names what is possible, never a null later.
 */
package dev.kopf4j.engine.injection;
