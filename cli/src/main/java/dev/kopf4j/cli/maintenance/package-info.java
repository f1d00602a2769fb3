/**
 * What people do to an operator's objects without the operator: {@code Uninstaller} takes its finalizers and records
 * off them ({@code kopf4j uninstall}), and {@code Doctor} tells what is wrong with them ({@code kopf4j doctor}). Both
 * read the objects of the streams that the operator would have ({@code ObjectLister}); {@code OperatorTraces} knows
 * what an operator leaves on an object.
 */
package dev.kopf4j.cli.maintenance;
