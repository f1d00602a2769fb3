/**
 * The table of all settings, and the ways to fill them: code, configuration files, the environment, system properties.
 *
 * <p>{@link dev.kopf4j.settings.SettingTable} is the one source. {@code dev.kopf4j.OperatorSettings}, the public face,
 * is generated from it; nobody else uses this package.
 *
 * <p>{@code settings} has one table: the accessors with their Javadoc, parsing, printing, {@code kopf4j config} and the
 * documentation are made of it.
 */
package dev.kopf4j.settings;
