package dev.kopf4j.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.SettingValue;
import dev.kopf4j.settings.SettingTable.SettingGroup;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds that the accessors of the settings, and their Javadoc, are those of the table. */
class SettingAccessorsTest {
    private static final Path SOURCE = Path.of("src", "main", "java", "dev", "kopf4j", "OperatorSettings.java");
    private static final String MARKER = "    // Generated from SettingTable; SettingAccessorsTest holds it.\n\n";

    @Test
    void accessorsAreThoseOfTheTable() throws IOException {
        String source = Files.readString(SOURCE);
        int behind = source.indexOf(MARKER) + MARKER.length();
        assertThat(behind).isGreaterThan(MARKER.length());
        String generated = SettingAccessors.text();
        Path made = Path.of("target", "OperatorSettings.java");
        Files.writeString(made, source.substring(0, behind) + generated);
        List<String> written = members(source.substring(behind));
        List<String> wanted = members(generated);
        int same = 0;
        while (same < Math.min(written.size(), wanted.size())
                && written.get(same).equals(wanted.get(same))) {
            same++;
        }
        assertThat(written.stream().skip(same).limit(1))
                .as("the first member that differs; cp core/%s core/%s && ./mvnw spotless:apply", made, SOURCE)
                .isEqualTo(wanted.stream().skip(same).limit(1).toList());
    }

    /** Without white space: the formatter breaks lines as it likes. */
    private static List<String> members(String code) {
        return Arrays.stream(code.split("(?=/\\*\\*)"))
                .map(member -> member.replaceAll("[\\s*]+", ""))
                .toList();
    }

    @Test
    void eachGroupOfTheTableIsNamed() {
        assertThat(SettingTable.ALL.stream()
                        .map(setting ->
                                setting.name().substring(0, setting.name().indexOf('.')))
                        .distinct())
                .isEqualTo(SettingTable.GROUPS.stream().map(SettingGroup::name).toList());
    }

    /** What an accessor says is what is found under the setting's name. */
    @Test
    void eachAccessorIsThatOfItsName() throws ReflectiveOperationException {
        OperatorSettings settings = new OperatorSettings();
        for (SettingValue value : settings.values()) {
            String[] name = value.setting().name().split("\\.", -1);
            Object group = OperatorSettings.class.getMethod(name[0]).invoke(settings);
            Object current = group.getClass().getMethod(name[1]).invoke(group);
            Method setter = Arrays.stream(group.getClass().getMethods())
                    .filter(method -> method.getName().equals(name[1]) && method.getParameterCount() == 1)
                    .findFirst()
                    .orElseThrow();
            settings.from("the accessor", _ -> invoke(setter, group, current));
        }
        assertThat(settings.values()).hasSizeGreaterThan(50).allSatisfy(value -> {
            assertThat(value.origin()).as(value.setting().name()).isEqualTo("the accessor");
            assertThat(value.text()).isEqualTo(value.setting().defaultText());
        });
    }

    private static void invoke(Method method, Object target, Object argument) {
        try {
            method.invoke(target, argument);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method.toString(), e);
        }
    }
}
