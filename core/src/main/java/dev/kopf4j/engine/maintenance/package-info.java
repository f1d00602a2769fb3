/**
 * What people do to an operator's objects without the operator: takes its finalizers and records off them
 * ({@code kopf4j uninstall}), and tells what is wrong with them ({@code kopf4j doctor}).
 */
package dev.kopf4j.engine.maintenance;
