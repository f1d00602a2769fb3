package dev.kopf4j.settings;

/**
 * A group of settings. Immutable.
 *
 * @param name the first part of the names of its settings, and the name of its accessor
 * @param type the simple name of its class in {@code OperatorSettings}
 * @param description what it is about, in a sentence
 */
public record SettingGroup(String name, String type, String description) {}
