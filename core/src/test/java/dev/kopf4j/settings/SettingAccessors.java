package dev.kopf4j.settings;

import dev.kopf4j.settings.SettingTable.SettingGroup;
import java.util.List;

/**
 * Writes the generated part of {@code OperatorSettings.java}: an accessor for each group, and a class with its
 * settings.
 */
@SuppressWarnings("InlineFormatString") // templates are easier to read apart from the code
final class SettingAccessors {
    private static final String GROUP_ACCESSOR = """
                /** %3$s */
                public %2$s %1$s() {
                    return %1$s;
                }

            """;

    private static final String GROUP_HEAD = """
                /** %3$s */
                public static final class %2$s {
                    private final SettingValues values;

                    private %2$s(SettingValues values) {
                        this.values = values;
                    }
            """;

    private static final String SETTING = """

                    /** %4$s Default: %5$s. */
                    public %3$s %2$s() {
                        return values.get(SettingTable.%6$s);
                    }

                    /** Sets {@link #%2$s()}. */
                    public %1$s %2$s(%3$s value) {
                        values.set(SettingTable.%6$s, value);
                        return this;
                    }
            """;

    private SettingAccessors() {}

    static String text() {
        StringBuilder text = new StringBuilder();
        for (SettingGroup group : SettingTable.GROUPS) {
            text.append(GROUP_ACCESSOR.formatted(group.name(), group.type(), group.description()));
        }
        for (SettingGroup group : SettingTable.GROUPS) {
            text.append(GROUP_HEAD.formatted(group.name(), group.type(), group.description()));
            settings(group).forEach(setting -> text.append(accessors(group, setting)));
            text.append("    }\n\n");
        }
        return text.append("}\n").toString();
    }

    private static List<SettingRow<?>> settings(SettingGroup group) {
        return SettingTable.ALL.stream()
                .filter(setting -> setting.name().startsWith(group.name() + "."))
                .toList();
    }

    private static String accessors(SettingGroup group, SettingRow<?> setting) {
        String constant = setting.variable()
                .substring(SettingSources.VARIABLE_PREFIX.length())
                .replace("LEADER_ELECTION", "LEADERELECTION");
        return SETTING.formatted(
                group.type(),
                setting.name().substring(group.name().length() + 1),
                setting.javaType(),
                setting.description(),
                setting.defaultText().equals("none") ? "null" : "{@code " + setting.defaultText() + "}",
                constant);
    }
}
