package dev.kopf4j.devcluster.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=jane,O=team                  | jane  | [team]",
                "CN=jane+O=team                  | jane  | [team]",
                "CN=jane,O=team+O=shift,O=other  | jane  | [other, shift, team]",
                "'CN=a\\,b,O=x y,L=Berlin'       | a,b   | [x y]",
                "O=team                          | ''    | [team]",
                "CN=#0401ff,O=team               | ''    | [team]",
                "''                              | ''    | []"
            })
    void aUserHasTheCommonNameAndAllOrganizations(String name, String user, String groups) {
        SubjectName subject = SubjectName.of(name).orElseThrow();
        assertThat(subject.user()).isEqualTo(user);
        assertThat(subject.groups().stream().sorted().toList()).hasToString(groups);
    }
}
